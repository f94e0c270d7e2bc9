import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import { generateSigningKey } from '../../activities/signing/keys.ts';
import { define } from '../command.ts';
import { writeNewFile } from '../new-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function keygenCommand(): Command {
  const command = new Command('keygen')
    .description('make an Ed25519 key: FILE gets the private key, FILE.pub the public one')
    .argument('<file>');
  define(command, 'opaline keygen me.pem', async ([file], options: OutputOptions) => {
    const key = generateSigningKey();
    // A key that is lost takes its approvals with it: nothing is overwritten.
    await writeNewFile(file!, key.privateKey, 0o600);
    try {
      await writeNewFile(`${file}.pub`, key.publicKey, 0o644);
    } catch (error) {
      await rm(file!);
      throw error;
    }
    const text = `Private key in ${file}: keep it to yourself.\nPublic key in ${file}.pub, which a trust file or a policy names:\n\n${key.publicKey}`;
    print(options, { privateKey: file, publicKey: `${file}.pub`, keyid: key.keyid }, text);
  });
  return command;
}
