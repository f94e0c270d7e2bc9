import { readFile, writeFile } from 'node:fs/promises';
import { run } from './write-compiled.ts';

/** Name of the file in a package. */
const SBOM_FILE = 'sbom.cdx.json';

/** What is read of a bill of npm's; it holds more. */
type Bill = {
  metadata: { component: { 'bom-ref': string } };
  components: { 'bom-ref': string; properties?: { name: string }[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * Writes the software bill of materials of the package in a folder beside it, as CycloneDX: what npm finds there.
 * It has no time and no serial number, so that equal packages are equal to the byte.
 */
export async function writeSbom(folder: string, options: readonly string[]): Promise<void> {
  const npm = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', ...options];
  const bill: Bill = JSON.parse(run('npm', npm, { cwd: folder, env: environment() }));
  const { name, version } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  // `--omit dev` would also leave out what is needed by us and, besides, for development.
  const components = bill.components.filter(({ properties = [] }) => !properties.some(isForDevelopment));
  const kept = new Set(components.map((component) => component['bom-ref']));
  const root = bill.metadata.component;
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === root['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm calls a package that is not installed by the name of its folder.
  const own = `${name}@${version}`;
  const component = { ...root, name, purl: `pkg:npm/${own}` };
  const { serialNumber: _, ...rest } = { serialNumber: null, ...bill };
  const text = JSON.stringify({ ...rest, metadata: { component }, components, dependencies }, null, 2);
  await writeFile(`${folder}/${SBOM_FILE}`, `${text.replaceAll(`"${root['bom-ref']}"`, `"${own}"`)}\n`);
}

const isForDevelopment = ({ name }: { name: string }): boolean => name === 'cdx:npm:package:development';

/** Without what the npm that runs this says of itself: it would be taken for options. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(config|package|lifecycle)_/i.test(name)));
