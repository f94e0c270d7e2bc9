import { ROOT, run } from './write-compiled.ts';

/** `npm run packages` makes both packages, and packs them. */
for (const [script, folder] of [
  ['write-package.ts', 'dist-package'],
  ['write-verifier.ts', 'dist-verifier'],
] as const) {
  run(process.execPath, [`${ROOT}cli/${script}`]);
  process.stdout.write(run('npm', ['pack', '--ignore-scripts', '--silent', `./${folder}`]));
}
