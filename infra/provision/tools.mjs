import { chmod, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installInCache } from './cache.mjs';
import { copyFromModule, downloadArchive, goInstall, unpackPackages } from './fetch.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** Later tags of the Temporal CLI than v1.5.1 (server 1.29.1) cannot be built by Go: their go.mod replaces modules. */
const TEMPORAL = 'v1.5.1';

/** SHA-256 of the archives of that release, by platform and architecture as Node names them. */
const TEMPORAL_ARCHIVES = {
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
};

/** Modules of Go: how long each takes to build, and its programs, by the folders of their commands in there. */
const GO = {
  versitygw: {
    repository: 'github.com/versity/versitygw',
    takes: 'a minute',
    programs: { versitygw: 'cmd/versitygw' },
  },
  /** Temporal's own programs for a cluster: the server, and what makes and upgrades its tables. */
  temporalServer: {
    repository: 'go.temporal.io/server',
    takes: 'three minutes',
    programs: { sql: 'cmd/tools/sql', server: 'cmd/server' },
  },
  helm: { repository: 'helm.sh/helm/v3', takes: 'two minutes', programs: { helm: 'cmd/helm' } },
};

/**
 * What Opaline runs that is no npm package. `version`: absent where it is that of a package of Debian. `programs`: their
 * names in the cache. `variable` names the program, or the folder of several. `onPath`: what else a system may call the
 * program, in place of its own name; null: a program of the system is not used. `proof`: words with which a program that
 * is found shows that it runs. `fetch` fills a folder of the cache. `otherwise`: what people can do where all this fails.
 */
const TOOLS = {
  'temporal-cli': {
    version: TEMPORAL,
    programs: ['temporal'],
    variable: 'OPALINE_TEMPORAL_CLI',
    proof: ['--version'], // it needs neither network nor configuration
    fetch: fetchTemporal,
    otherwise: 'install the Temporal CLI and set OPALINE_TEMPORAL_CLI to its path.',
  },
  'versitygw 1.8.0': {
    ...fromGo(GO.versitygw, 'v1.8.0', 'h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc='),
    variable: 'OPALINE_VERSITYGW',
    otherwise: 'set OPALINE_VERSITYGW to the path of the program.',
  },
  // It loses races between conditional writes: the canary has to refuse it.
  'versitygw 1.7.0': {
    ...fromGo(GO.versitygw, 'v1.7.0', 'h1:Tyn9TOpUn6nTyYfb+e2uaz1prf5Uv44FLpy4RU/foJE='),
    otherwise: 'put the program into the cache, as versitygw/v1.7.0/versitygw.',
  },
  // What the embedded stack has inside of its one program, as a cluster runs it (test/cluster).
  'temporal-server 1.29.1': {
    ...fromGo(GO.temporalServer, 'v1.29.1', 'h1:sgiMveg/8e51lA62pWb9VzC5WTRitKFyT6XsjonHUhE='),
    variable: 'OPALINE_TEMPORAL_SERVER',
    otherwise: 'set OPALINE_TEMPORAL_SERVER to the folder of the programs server and sql of Temporal 1.29.1.',
  },
  // To which a cluster is upgraded: the newest that Go 1.26.8 builds.
  'temporal-server 1.32.1': {
    ...fromGo(GO.temporalServer, 'v1.32.1', 'h1:grI5B5cBEMRJnDzGKtsxQRQpsNPisej1B6WgVksc9EM='),
    otherwise: 'put its programs server and sql into the cache, into temporal-server/v1.32.1.',
  },
  postgres: {
    programs: ['initdb', 'pg_dump', 'psql', 'postgres'],
    variable: 'OPALINE_POSTGRES',
    onPath: null,
    fetch: unpackPostgres,
    otherwise:
      'The tests on a cluster need PostgreSQL 12 or later: install it, or set OPALINE_POSTGRES to the folder of initdb, pg_dump, psql and postgres.',
  },
  helm: {
    ...fromGo(GO.helm, 'v3.19.5', 'h1:l8zDGBhPaF2z5pTR5ASku/yZwi0qZrWthWMzvf1ZruE='),
    variable: 'OPALINE_HELM',
    otherwise: 'set OPALINE_HELM to the path of helm 3.',
  },
  // What shipped files are checked with: schemas out of the sources of those who read them.
  schemas: {
    version: 'kubernetes-1.34.4-compose-2.16.2',
    programs: ['swagger.json', 'compose-spec.json'],
    variable: 'OPALINE_SCHEMAS',
    onPath: null,
    fetch: fetchSchemas,
    otherwise: "set OPALINE_SCHEMAS to a folder with Kubernetes' swagger.json and compose-spec.json.",
  },
  chromium: {
    programs: ['chromium'],
    variable: 'OPALINE_CHROMIUM',
    onPath: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    fetch: unpackChromium,
    otherwise:
      'The tests of pages need a browser: install Chromium or Google Chrome, or set OPALINE_CHROMIUM to its path.',
  },
  // Only a test runs it: the lines in R of a README.
  r: {
    programs: ['Rscript'],
    variable: 'OPALINE_RSCRIPT',
    fetch: unpackR,
    otherwise: 'The test of lines in R needs R: install it, or set OPALINE_RSCRIPT to the path of Rscript.',
  },
  prometheus: {
    programs: ['prometheus', 'promtool'],
    variable: 'OPALINE_PROMETHEUS',
    fetch: unpackPrometheus,
    otherwise:
      'The tests of alerts need Prometheus: install its programs, or set OPALINE_PROMETHEUS to the folder of both.',
  },
};

/**
 * The path of the one program of a tool, or the paths of several by their names: those that its variable names, those on
 * PATH, those in the cache, else fetched there. Nothing is installed in the system, and no rights are needed. Throws
 * SetupError.
 */
export async function provideTool(name) {
  const { version = 'package', programs, variable, onPath = programs, proof, fetch, otherwise } = TOOLS[name];
  const run = async (paths) => {
    if (!paths.every((path) => path !== null && isExecutable(path))) return false;
    return proof === undefined || (await runProgram(paths[0], proof, { timeout: 10_000 })).code === 0;
  };
  const isOne = programs.length === 1;
  const byName = (paths) =>
    isOne ? paths[0] : Object.fromEntries(programs.map((program, place) => [program, paths[place]]));
  const choice = process.env[variable];
  const lists = onPath === null ? [] : isOne ? onPath.map((one) => [one]) : [programs];
  const hits = lists.map((names) => names.map(findOnPath));
  for (const paths of choice ? [programs.map((program) => (isOne ? choice : join(choice, program)))] : hits)
    if (await run(paths)) return byName(paths);
  if (choice)
    throw new SetupError(`${variable} names ${choice}, which is not there or does not run. Correct it, or unset it.`);
  const [tool] = name.split(' ');
  const last = await installInCache(tool, version, programs.at(-1), (folder) => fetch(folder, otherwise));
  return byName(programs.map((program) => join(dirname(last), program)));
}

/** A download of the release, unless OPALINE_TEMPORAL_DOWNLOAD is `no`; else it is built with Go. */
async function fetchTemporal(folder, otherwise) {
  const sha256 = TEMPORAL_ARCHIVES[`${process.platform}-${process.arch}`];
  if (process.env.OPALINE_TEMPORAL_DOWNLOAD !== 'no' && sha256 !== undefined)
    try {
      progress(`downloading the Temporal CLI ${TEMPORAL} (once; about a minute)`);
      const system = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
      const file = `temporal_cli_${TEMPORAL.slice(1)}_${system}.tar.gz`;
      const url = `https://github.com/temporalio/cli/releases/download/${TEMPORAL}/${file}`;
      return await downloadArchive(url, sha256, folder);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      progress(`${error.message}; building the Temporal CLI instead`);
    }
  const sum = 'h1:0RZMk14BWxz44Xg6ciDQvpfAMffoG3J7/K03ql80teY=';
  const source = { repository: 'github.com/temporalio/cli', program: 'cmd/temporal', version: TEMPORAL, sum };
  await goInstall({ ...source, binary: 'temporal', takes: 'three minutes', otherwise }, folder);
}

/** Modules of Go, the file of each that is kept, and the digest of the module, from Go's checksum database. */
const SCHEMAS = [
  {
    module: 'k8s.io/kubernetes@v1.34.4',
    file: 'api/openapi-spec/swagger.json',
    sum: 'h1:Yy6R4QB8C9kJPp25GFqEvX5XQwY5qzKeqD0Xx6oAcmk=',
  },
  {
    module: 'github.com/compose-spec/compose-go/v2@v2.16.2',
    file: 'schema/compose-spec.json',
    sum: 'h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=',
  },
];

async function fetchSchemas(folder, otherwise) {
  progress('fetching the schemas of Kubernetes and Compose with Go (once; some seconds)');
  for (const { module, file, sum } of SCHEMAS) await copyFromModule({ module, file, sum, otherwise }, folder);
}

/** What Go builds of a version of a module; `sum`: its digest, from Go's checksum database. */
function fromGo({ programs, ...module }, version, sum) {
  return {
    version,
    programs: Object.keys(programs),
    onPath: null,
    fetch: async (folder, otherwise) => {
      for (const [binary, program] of Object.entries(programs))
        await goInstall({ ...module, version, sum, program, binary, otherwise }, folder);
    },
  };
}

async function unpackPrometheus(folder, otherwise) {
  await unpackPackages({ names: ['prometheus'], otherwise }, folder);
  for (const name of ['prometheus', 'promtool']) await rename(join(folder, 'usr', 'bin', name), join(folder, name));
}

/** PostgreSQL as Debian or Ubuntu have it: of the system where it is installed, else unpacked. */
async function unpackPostgres(folder, otherwise) {
  const programs = async (root) => {
    const versions = await readdir(join(root, 'usr', 'lib', 'postgresql')).catch(() => []);
    const folders = versions.sort().map((version) => join(root, 'usr', 'lib', 'postgresql', version, 'bin'));
    return folders.findLast((bin) => isExecutable(join(bin, 'postgres')));
  };
  let home = await programs('/');
  if (home === undefined) {
    await unpackPackages({ names: ['postgresql'], withMissing: true, otherwise }, folder);
    home = await programs(folder);
  }
  if (home === undefined) throw new SetupError(`The package postgresql brought no server. ${otherwise}`);
  const place = home.replace(folder, '$here');
  for (const name of TOOLS.postgres.programs) await writeLauncher(join(folder, name), `${place}/${name}`);
}

/** Writes what starts a program, `$here/...`, with the libraries that were unpacked beside it. */
async function writeLauncher(path, program, more = '') {
  const lines = `#!/bin/sh
here=\${0%/*}
for folder in "$here"/lib/*-linux-* "$here"/usr/lib/*-linux-* "$here"/usr/lib/*-linux-*/*/; do
  libraries=$folder\${libraries:+:$libraries}
done
export LD_LIBRARY_PATH="$libraries\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
${more}exec "${program}" "$@"
`;
  await writeFile(path, lines);
  await chmod(path, 0o755);
}

/** Debian's R with its own packages, started as Rscript is; what its installation writes below /etc comes with it. */
async function unpackR(folder, otherwise) {
  await unpackPackages({ names: ['r-base-core'], withMissing: true, otherwise }, folder);
  const etc = join(folder, 'usr', 'lib', 'R', 'etc');
  await rm(join(etc, 'Renviron'), { force: true });
  await rename(join(etc, 'Renviron.ucf'), join(etc, 'Renviron'));
  const home = 'export R_HOME="$here/usr/lib/R" LD_LIBRARY_PATH="$here/usr/lib/R/lib:$LD_LIBRARY_PATH"\n';
  const launcher = join(folder, 'Rscript');
  await writeLauncher(launcher, '$here/usr/lib/R/bin/exec/R', `${home}set -- --no-echo --vanilla "$@"\n`);
  const { output } = await runProgram(launcher, ['-e', 'cat(sum(aggregate(1:3, list(1:3), sum)$x))']);
  if (output !== '6') throw new SetupError(`The unpacked R does not run: ${output}\n${otherwise}`);
}

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

/** Debian's Chromium without windows, as only tests look at the pages, and what has to be beside the program. */
async function unpackChromium(folder, otherwise) {
  const names = ['chromium-headless-shell', 'chromium-common'];
  await unpackPackages({ names, withMissing: true, otherwise }, folder);
  const launcher = join(folder, 'chromium');
  await writeFile(join(folder, 'fonts.conf'), FONTS);
  // With the fonts beside it where the system has none.
  const fonts = '[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"\n';
  await writeLauncher(launcher, '$here/usr/lib/chromium/chromium-headless-shell', fonts);
  const page = ['--no-sandbox', '--disable-gpu', '--dump-dom', 'data:text/html,it%20runs'];
  const { output } = await runProgram(launcher, page, { timeout: 60_000 });
  if (!output.includes('it runs')) throw new SetupError(`The unpacked Chromium does not run: ${output}\n${otherwise}`);
}
