import { execFile } from 'node:child_process';
import { provideTool } from '../../infra/provision/tools.mjs';

/** What promtool said to its parameters, and whether it was content. */
export async function promtool(...parameters: string[]): Promise<{ ok: boolean; text: string }> {
  const { promtool: program } = await provideTool('prometheus');
  return new Promise((resolve) =>
    execFile(program, parameters, { maxBuffer: 16_000_000 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, text: `${stdout}${stderr}` }),
    ),
  );
}

/** Names of the alerts that `promtool test rules` found to differ from what was expected. */
export const namesOfFailed = (text: string): string[] => [
  ...new Set([...text.matchAll(/alertname: ?(\w+)/g)].map((match) => match[1]!)),
];
