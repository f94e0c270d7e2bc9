import { rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { refuseOldFile, writeNewFile } from '../../services/files/new-file.ts';
import { encryptKey, generateSigningKey } from '../../services/signing/keys.ts';
import { command } from '../command.ts';
import { newPassphrase, PASSPHRASE } from '../key-options.ts';

export const keygenCommand = (): Command =>
  command('keygen <file>', 'make an Ed25519 key: FILE gets the private key, FILE.pub the public one')
    .option('--encrypt', 'encrypt the private key with a passphrase')
    .option(...PASSPHRASE)
    .example('opaline keygen me.pem')
    .run(async ({ file }, options) => {
      // A key that is lost takes its approvals with it: nothing is overwritten.
      for (const path of [file, `${file}.pub`]) refuseOldFile(path);
      const key = generateSigningKey();
      const isEncrypted = options.encrypt === true || options.passphraseFile !== undefined;
      const privateKey = isEncrypted ? encryptKey(key.privateKey, await newPassphrase(options)) : key.privateKey;
      await writeNewFile(file, privateKey, 0o600);
      try {
        await writeNewFile(`${file}.pub`, key.publicKey, 0o644);
      } catch (error) {
        await rm(file);
        throw error;
      }
      const text = `Private key in ${file}: keep it to yourself.\nPublic key in ${file}.pub, which a trust file or a policy names:\n\n${key.publicKey}`;
      return { value: { privateKey: file, publicKey: `${file}.pub`, keyid: key.keyid }, text };
    });
