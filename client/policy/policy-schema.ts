import { z } from 'zod';
import { policySchema } from '../../contracts/formats/policy.ts';

/**
 * JSON Schema of a policy file, for editors (draft 7, which they read best): names, types and bounds; the rules between
 * fields are reported by `opaline check`. Run as a program it prints the content of examples/policy.schema.json.
 */
export const policyJsonSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(policySchema, { io: 'input', target: 'draft-7' }),
  title: 'Opaline policy file',
});

if (import.meta.main) process.stdout.write(`${JSON.stringify(policyJsonSchema(), null, 2)}\n`);
