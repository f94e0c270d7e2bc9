import { releasePath } from '../../contracts/names.ts';
import { markdownText } from '../../core/text/markdown.ts';
import type { DescribedRelease, KindAnswers } from './description.ts';

/**
 * What a claim of differential privacy has to say, by the subjects of NIST SP 800-226 (Guidelines for Evaluating
 * Differential Privacy Guarantees): the guarantee, the algorithms, and the deployment. An answer is that of the kind of
 * the data, by its name, or holds for every release.
 */
type Question = { question: string; answer: keyof KindAnswers | ((described: DescribedRelease) => string) };

const GUARANTEE: readonly Question[] = [
  { question: 'What is the unit of privacy: whose contribution is protected?', answer: 'unit' },
  { question: 'When do two data sets count as neighbours?', answer: 'neighbours' },
  { question: 'Which variant of differential privacy holds, and with which parameters?', answer: 'parameters' },
  { question: 'What do several releases about the same people add up to?', answer: 'composition' },
  {
    question: 'What did earlier versions of this window cost?',
    answer: ({ versions }) => versions.join(' '),
  },
  { question: 'What does the guarantee not cover?', answer: 'notCovered' },
];

const ALGORITHMS: readonly Question[] = [
  { question: 'Which mechanism adds which noise?', answer: 'mechanism' },
  { question: 'What is the sensitivity, and what bounds it?', answer: 'sensitivity' },
  { question: 'Do cells, categories or parameters depend on the confidential data?', answer: 'domain' },
  { question: 'How accurate are the figures?', answer: 'accuracy' },
  { question: 'Are some figures biased, or some groups served worse?', answer: 'bias' },
  {
    question: 'What happens to the figures after noise was added?',
    answer: () =>
      'Everything after the draw is a function of the drawn tables and of public parameters. Corrections redraw the partitions that people name, and charge for them.',
  },
];

const DEPLOYMENT: readonly Question[] = [
  {
    question: 'Which trust model is used, and who sees the confidential data?',
    answer: () =>
      'The central model: the custodian holds the records, and one worker of the custodian alone reads them and adds the noise. Whoever approves, publishes or reads sees drawn tables only.',
  },
  {
    question: 'Against whom does it protect?',
    answer: () =>
      'Against readers with any other knowledge, all other records included, and any computing power. It does not protect against the custodian, or against whoever breaks into the computers of the custodian.',
  },
  {
    question: 'How is the random noise made, and is arithmetic exact?',
    answer: () =>
      "Noise is drawn in whole numbers, exactly, from the random generator of the operating system's kernel. There is no floating point between the random bits and a published number.",
  },
  {
    question: 'Which side channels are there?',
    answer: () =>
      'Sizes, names and order of published files follow from published rows and public parameters. How long private stages take is not covered.',
  },
  {
    question: 'How is the privacy budget kept?',
    answer: () =>
      'In a ledger of signed, chained entries. A release is charged before its first draw, whatever becomes of it, and what would pass a cap is refused. `manifest.json` names the place in the ledger.',
  },
  {
    question: 'How is the implementation checked?',
    answer: () =>
      'Every formula has a written proof, the certificate is checked by code of its own, and each release was attacked before people approved it: `audit.json` has every check and its result. Tests can refute, and do not prove.',
  },
  {
    question: 'Who controls access, and who decides to publish?',
    answer: () =>
      'People without access to the confidential data approve each release, and sign that they did so on the released files alone. `attestation.json` has their signatures.',
  },
  {
    question: 'What is exposed by collecting the data at all?',
    answer: () =>
      'That the custodian holds the records is not changed by a release. How long they are kept, and who else may read them, the custodian has to say.',
  },
];

const PARTS: readonly [heading: string, questions: readonly Question[]][] = [
  ['The guarantee', GUARANTEE],
  ['The algorithms', ALGORITHMS],
  ['The deployment', DEPLOYMENT],
];

/** differential-privacy.md: every question with its answer. */
export function guaranteePage(described: DescribedRelease): string {
  const answerTo = ({ answer }: Question): string =>
    typeof answer === 'string' ? described.description.answers[answer] : answer(described);
  const parts = PARTS.flatMap(([heading, questions]) => [
    `## ${heading}`,
    ...questions.flatMap((one) => [`### ${one.question}`, answerTo(one)]),
  ]);
  return `${[
    '# What the differential privacy of this release promises',
    `Release \`${releasePath(described.release)}\` of *${markdownText(described.publication.title)}*. The questions are those that NIST SP 800-226 wants every claim of differential privacy to answer.`,
    ...parts,
  ].join('\n\n')}\n`;
}
