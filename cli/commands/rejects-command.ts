import type { Command } from 'commander';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { MOST_SAMPLES, releaseInput } from '../../custodian/preview/input-report.ts';
import { command } from '../command.ts';
import { inputText } from '../input-text.ts';
import { custodianSide } from '../private-deployment.ts';

export const rejectsCommand = (): Command =>
  command('rejects <release>', 'say exactly what a release read and what it left out; on the custodian side only')
    .option('--rows <n>', 'show n rejected rows of each object and reason: raw data')
    .example('opaline rejects demo-taps/2026-03-02/v1')
    .run(async ({ release }, { rows }) => {
      const samples = rows === undefined ? 0 : readWholeNumber('--rows', rows, MOST_SAMPLES);
      const report = await releaseInput(await custodianSide(), release, samples);
      return { value: report, text: inputText(report) };
    });
