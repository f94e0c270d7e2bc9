import { OpalineError } from '../contracts/errors.ts';
import { type Project, projectSchema } from '../contracts/project.ts';
import { fieldName, formatIssue } from '../contracts/series-issue.ts';
import type { StoreConfiguration } from '../contracts/store-configuration.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { has } from '../services/files/fields.ts';
import { schemaMistakes } from '../services/files/sentences.ts';
import { readYaml } from '../services/files/yaml.ts';
import { type Beliefs, type Deployments, type EmbeddedFiles, folderDeployments } from './embedded-files.ts';

/** A deployment file names some stores. */
const MOST_BYTES = 2 ** 20;

/**
 * Reads the deployment file of a project folder. Its values may be credentials: a message names lines and fields only.
 * Throws CONFIGURATION_INVALID with every mistake.
 */
export async function readProject(path: string): Promise<Project> {
  const { bytes } = await readBoundedFile(path, MOST_BYTES);
  if (bytes === null) throw new OpalineError('CONFIGURATION_INVALID', `${path} cannot be read.`);
  const { value, mistakes, locate } = readYaml(bytes.toString('utf8'));
  const parsed = projectSchema.safeParse(value);
  if (mistakes.length === 0 && parsed.success) return parsed.data;
  const issues = mistakes.map((mistake) => ({ file: path, field: '', ...mistake }));
  if (mistakes.length === 0 && !parsed.success)
    for (const { path: at, sentence } of schemaMistakes(parsed.error.issues, (field) => has(value, field)))
      issues.push({ file: path, ...locate(at), field: fieldName(at), sentence });
  throw new OpalineError('CONFIGURATION_INVALID', issues.map(formatIssue).join('\n'));
}

/** The deployments and beliefs of a stack that starts in a project folder; `more` are source stores beside its own. */
export function projectStack(
  files: EmbeddedFiles,
  project: Project,
  more: Readonly<Record<string, StoreConfiguration>>,
): { deployments: Deployments; beliefs: Beliefs } {
  const { trust: file, policyFile, ledgerKeyFile, publisherKeyFile, allowDemoKeys } = project;
  const trust = { file };
  const deployments = folderDeployments(files, { ...project.sources, ...more });
  return {
    deployments,
    beliefs: {
      private: { trust, policyFile, keyFile: ledgerKeyFile, stateFile: files.state, allowDemoKeys },
      public: { trust, keyFile: publisherKeyFile, allowDemoKeys },
      client: { trust },
    },
  };
}
