import type { StoreConfiguration } from '../../contracts/store-configuration.ts';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';

/** The store of a configuration. Nothing is read or written yet. */
export function openStore(configuration: StoreConfiguration): FolderStore | S3Store {
  switch (configuration.kind) {
    case 'folder':
      return new FolderStore(configuration.path);
    case 's3':
      return new S3Store(configuration);
  }
}
