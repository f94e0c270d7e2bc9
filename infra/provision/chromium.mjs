import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedBinary, installInCache } from './cache-folder.mjs';
import { unpackPackages } from './debian-packages.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** Names of the program, the one of Debian first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Debian's Chromium without windows, as only tests look at the pages, and what has to lie beside the program. */
const PACKAGES = ['chromium-headless-shell', 'chromium-common'];

const OTHERWISE =
  'The tests of pages need a browser: install Chromium or Google Chrome, or set OPALINE_CHROMIUM to its path.';

/** Starts the program with the libraries beside it, and with the fonts beside it where the system has none. */
const LAUNCHER = `#!/bin/sh
here=\${0%/*}
for folder in "$here"/lib/*-linux-* "$here"/usr/lib/*-linux-* "$here"/usr/lib/*-linux-*/*/; do
  libraries=$folder\${libraries:+:$libraries}
done
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/usr/lib/chromium/chromium-headless-shell" "$@"
`;

/** What Debian's configuration of fonts comes to for the pages. The one in the packages names paths of the system. */
const FONTS = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <match target="pattern"><edit name="hintstyle" mode="append"><const>hintslight</const></edit></match>
</fontconfig>
`;

/**
 * The path of a Chromium for the tests of pages: OPALINE_CHROMIUM, PATH, the cache, else unpacked there from Debian's
 * packages. Nothing is installed in the system and no rights are needed. Throws SetupError.
 */
export async function provideChromium() {
  const given = process.env.OPALINE_CHROMIUM;
  if (given) {
    if (isExecutable(given)) return given;
    throw new SetupError(`OPALINE_CHROMIUM names ${given}, which is not an executable file. Correct it, or unset it.`);
  }
  const found = NAMES.map((name) => findOnPath(name)).find((path) => path !== null);
  if (found) return found;
  const cached = cachedBinary('chromium', 'package', 'chromium');
  return isExecutable(cached) ? cached : installInCache('chromium', 'package', 'chromium', unpack);
}

async function unpack(folder) {
  progress("unpacking Debian's chromium into the cache (once; about a minute)");
  await unpackPackages(PACKAGES, folder, { withMissing: true, otherwise: OTHERWISE });
  const launcher = join(folder, 'chromium');
  await writeFile(join(folder, 'fonts.conf'), FONTS);
  await writeFile(launcher, LAUNCHER);
  await chmod(launcher, 0o755);
  const page = ['--no-sandbox', '--disable-gpu', '--dump-dom', 'data:text/html,it%20runs'];
  const { output } = await runProgram(launcher, page, { timeout: 60_000 });
  if (!output.includes('it runs')) throw new SetupError(`The unpacked Chromium does not run: ${output}\n${OTHERWISE}`);
}
