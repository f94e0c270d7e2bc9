// `npm run check`: the checks that run nothing, side by side; what one prints is printed when it has ended.
import { execFile } from 'node:child_process';

const CHECKS = ['biome check .', 'tsc --noEmit', 'knip --no-config-hints', 'knip --production --no-config-hints'];

for (const check of CHECKS) {
  const [program, ...options] = check.split(' ');
  execFile(`node_modules/.bin/${program}`, options, { maxBuffer: 1e9 }, (error, stdout, stderr) => {
    process.stdout.write(`${check}: ${error ? 'failed' : 'passed'}\n${stdout}${stderr}`);
    if (error) process.exitCode = 1;
  });
}
