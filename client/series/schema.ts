import { z } from 'zod';
import { tapsFileSchema } from '../../kinds/taps/series.ts';

/**
 * JSON Schema of series files for editors (draft 7, which they read best): names, types and patterns; the rules between
 * fields are told by `opaline` itself. Run as a program it prints the content of examples/series.schema.json.
 */
export const seriesJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(tapsFileSchema, { io: 'input', target: 'draft-7' }),
  title: 'Opaline series file',
});

if (import.meta.main) process.stdout.write(`${JSON.stringify(seriesJsonSchema(), null, 2)}\n`);
