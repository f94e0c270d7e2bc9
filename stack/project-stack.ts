import { type Project, projectSchema } from '../contracts/project.ts';
import type { StoreConfiguration } from '../contracts/store-configuration.ts';
import { readPeopleFile } from '../services/files/people-file.ts';
import { type Deployments, type EmbeddedFiles, folderStores } from './embedded-files.ts';

/**
 * Reads the deployment file of a project folder. Its values may be credentials: a message names lines and fields only.
 * Throws CONFIGURATION_INVALID with every mistake.
 */
export const readProject = (path: string): Promise<Project> =>
  readPeopleFile(path, 'CONFIGURATION_INVALID', projectSchema);

/** The deployments of a stack that starts in a project folder; `more` are source stores beside its own. */
export function projectDeployments(
  files: EmbeddedFiles,
  project: Project,
  more: Readonly<Record<string, StoreConfiguration>>,
): Deployments {
  const { trust: file, policyFile, ledgerKeyFile, publisherKeyFile, allowDemoKeys } = project;
  const trust = { file };
  const stores = folderStores(files, { ...project.sources, ...more });
  const custody = { policyFile, keyFile: ledgerKeyFile, stateFile: files.state };
  return {
    private: { ...stores.private, trust, ...custody, allowDemoKeys },
    public: { ...stores.public, trust, keyFile: publisherKeyFile, allowDemoKeys },
    client: { ...stores.client, trust },
  };
}
