#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { CommanderError } from 'commander';
import { EXIT } from '../contracts/errors.ts';
import { listing, opaline } from './program.ts';

// Whoever reads has enough, as `head` does: there is nobody left to tell.
process.stdout.on('error', () => process.exit());
// Halves the time until a command answers; without a cache it only starts more slowly.
enableCompileCache();
try {
  const [called, ...more] = process.argv.slice(2);
  const isHelp = (called === '--help' || called === '-h') && more.length === 0;
  const program = isHelp ? listing() : await opaline(called);
  await program.parseAsync();
} catch (error) {
  // What is wrong has been said; asking for help is no mistake.
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 || error.code === 'commander.help' ? EXIT.done : EXIT.badInput;
}
