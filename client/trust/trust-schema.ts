import { z } from 'zod';
import { trustVersionSchema } from '../../contracts/formats/trust.ts';

/**
 * JSON Schema of a version of a trust file, for editors (draft 7, which they read best). Run as a program it prints the
 * content of examples/trust-version.schema.json.
 */
export const trustJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(trustVersionSchema, { io: 'input', target: 'draft-7' }),
  title: 'Version of an Opaline trust file',
});

if (import.meta.main) process.stdout.write(`${JSON.stringify(trustJsonSchema(), null, 2)}\n`);
