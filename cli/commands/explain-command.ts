import type { Command } from 'commander';
import { explainRelease, explainStatus } from '../../client/release/explain-release.ts';
import { releaseBriefing } from '../../client/release/release-briefing.ts';
import { placeOfSource } from '../../client/series/place-zone.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { pagesText, pointsText } from '../briefing-text.ts';
import { command } from '../command.ts';

export const explainCommand = (): Command =>
  command('explain <release>', 'say what holds a release up or ended it, its likely cause, and what mends it')
    .example('opaline explain demo-taps/2026-03-02/v1')
    .ask(async (client, { release }) => {
      const answer = await explainRelease(client, release);
      const briefing = 'state' in answer && answer.state === 'waiting' ? await releaseBriefing(client, answer) : null;
      const explanation =
        'state' in answer ? explainStatus(answer, (await placeOfSource(client, answer)).timeZone) : answer;
      const { what, causes, commands } = explanation;
      const text = lines(
        what,
        causes,
        briefing && [pointsText(briefing), pagesText(briefing)],
        commands.map((line) => `  ${line}`),
      );
      return { value: { ...explanation, read: briefing }, text };
    });
