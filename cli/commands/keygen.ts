import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import { refuseOldFile, writeNewFile } from '../../services/files/new-file.ts';
import { encryptedKey, generateSigningKey } from '../../services/signing/keys.ts';
import { define } from '../command.ts';
import { newPassphrase, PASSPHRASE_OPTION, type PassphraseOptions } from '../key-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & PassphraseOptions & { encrypt?: boolean };

export function keygenCommand(): Command {
  const command = new Command('keygen')
    .description('make an Ed25519 key: FILE gets the private key, FILE.pub the public one')
    .argument('<file>')
    .option('--encrypt', 'encrypt the private key with a passphrase')
    .option(...PASSPHRASE_OPTION);
  return define(command, 'opaline keygen me.pem', async ([file], options: Options) => {
    refuseOldFile(file!);
    const key = generateSigningKey();
    const isEncrypted = options.encrypt === true || options.passphraseFile !== undefined;
    const privateKey = isEncrypted ? encryptedKey(key.privateKey, await newPassphrase(options)) : key.privateKey;
    // A key that is lost takes its approvals with it: nothing is overwritten.
    await writeNewFile(file!, privateKey, 0o600);
    try {
      await writeNewFile(`${file}.pub`, key.publicKey, 0o644);
    } catch (error) {
      await rm(file!);
      throw error;
    }
    const text = `Private key in ${file}: keep it to yourself.\nPublic key in ${file}.pub, which a trust file or a policy names:\n\n${key.publicKey}`;
    print(options, { privateKey: file, publicKey: `${file}.pub`, keyid: key.keyid }, text);
  });
}
