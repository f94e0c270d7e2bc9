import { releasePath } from '../../contracts/names.ts';
import { markdownText } from '../../core/text/markdown.ts';
import { type DescribedRelease, publisherName } from './data-description.ts';

/**
 * differential-privacy.md: what a claim of differential privacy has to say, by the subjects of NIST SP 800-226
 * (Guidelines for Evaluating Differential Privacy Guarantees): the guarantee, the algorithms, and the deployment. An
 * answer is that of the kind of the data, or holds for every release.
 */
export const guaranteePage = ({
  release,
  publication,
  description: { answers },
  versions,
}: DescribedRelease): string => `# What the differential privacy of this release promises

Release \`${releasePath(release)}\` of *${markdownText(publication.title)}*, published by ${markdownText(publisherName({ publication, release }))}. The questions are those that NIST SP 800-226 wants every claim of differential privacy to answer.

## The guarantee

### What is the unit of privacy: whose contribution is protected?

${answers.unit}

### When do two data sets count as neighbours?

${answers.neighbours}

### Which variant of differential privacy holds, and with which parameters?

${answers.parameters}

### What do several releases about the same people add up to?

${answers.composition}

### What did earlier versions of this window cost?

${versions.join(' ')}

### What does the guarantee not cover?

${answers.notCovered}

## The algorithms

### Which mechanism adds which noise?

${answers.mechanism}

### What is the sensitivity, and what bounds it?

${answers.sensitivity}

### Do cells, categories or parameters depend on the confidential data?

${answers.domain}

### How accurate are the figures?

${answers.accuracy}

### Are some figures biased, or some groups served worse?

${answers.bias}

### What happens to the figures after noise was added?

Everything after the draw is a function of the drawn tables and of public parameters. Corrections redraw the partitions that people name, and charge for them.

## The deployment

### Which trust model is used, and who sees the confidential data?

The central model: the custodian holds the records, and one worker of the custodian alone reads them and adds the noise. Whoever approves, publishes or reads sees drawn tables only.

### Against whom does it protect?

Against readers with any other knowledge, all other records included, and any computing power. It does not protect against the custodian, or against whoever breaks into the computers of the custodian.

### How is the random noise made, and is arithmetic exact?

Noise is drawn in whole numbers, exactly, from the random generator of the operating system's kernel. There is no floating point between the random bits and a published number.

### Which side channels are there?

Sizes, names and order of published files follow from published rows and public parameters. How long private stages take is not covered.

### How is the privacy budget kept?

In a ledger of signed, chained entries. A release is charged before its first draw, whatever becomes of it, and what would pass a cap is refused. \`manifest.json\` names the place in the ledger.

### How is the implementation checked?

Every formula has a written proof, the certificate is checked by code of its own, and each release was attacked before people approved it: \`audit.json\` has every check and its result. Tests can refute, and do not prove.

### Who controls access, and who decides to publish?

People without access to the confidential data approve each release, and sign that they did so on the released files alone. \`attestation.json\` has their signatures.

### What is exposed by collecting the data at all?

That the custodian holds the records is not changed by a release. How long they are kept, and who else may read them, the custodian has to say.
`;
