import type { PayloadCodec } from '@temporalio/common';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { z } from 'zod';
import { payloadFromText, payloadText } from '../services/temporal/payload-codec.ts';
import { listenAt } from './listening.ts';

const MOST_BYTES = 16 * 1024 * 1024;

const requestSchema = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), z.string()).optional(), data: z.string().optional() }))
    .max(10_000),
});

/**
 * Opens payloads for Temporal's own pages and command (`/decode`), on loopback alone: whoever reaches it reads what is
 * encrypted. It encrypts nothing, since nobody starts workflows by hand. Pages of other origins are refused, and so are
 * requests to another host name, by which a page elsewhere could reach it. `port`: of 127.0.0.1; `origin`: of the pages
 * that may ask. Throws SETUP_FAILED.
 */
export const serveCodec = (codec: PayloadCodec, { port, origin }: { port: number; origin: string | null }) =>
  listenAt({ hosts: ['127.0.0.1'], port }, (own) => {
    const app = new Hono();
    app.use(async (c, next) => {
      const caller = c.req.header('origin');
      const isHere = [`127.0.0.1:${own}`, `localhost:${own}`].includes(c.req.header('host')!);
      if (!isHere || (caller !== undefined && caller !== origin)) return c.json({ error: 'refused' }, 403);
      c.header('cache-control', 'no-store');
      return next();
    });
    if (origin !== null)
      app.use(cors({ origin, allowMethods: ['POST'], allowHeaders: ['content-type', 'x-namespace'] }));
    app.use(bodyLimit({ maxSize: MOST_BYTES }));
    app.post('/decode', async (c) => {
      const outcome = requestSchema.safeParse(await c.req.json().catch(() => null));
      if (!outcome.success) return c.json({ error: 'a list `payloads` is expected' }, 400);
      const payloads = await codec.decode(outcome.data.payloads.map(payloadFromText));
      return c.json({ payloads: payloads.map(payloadText) });
    });
    return app;
  });
