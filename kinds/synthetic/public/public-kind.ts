import { FILES } from '../../../contracts/names.ts';
import type { PublicKind } from '../../../services/release/context.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { listsOf, publicAttributes } from '../public-attributes.ts';
import { syntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { auditSynthesis } from './audit.ts';
import { deriveSynthesis, synthesisCertificate } from './derive.ts';
import { describeSynthesis } from './description.ts';
import { drawnPartitions } from './drawn-partitions.ts';
import { syntheticStatement } from './statement.ts';

/** Synthetic data on the public side. */
export const publicSynthetic: PublicKind = {
  ...syntheticKind,
  refusal: () => null,
  derive: (context, input, series) => deriveSynthesis(context, input, syntheticSeries(series)),
  audit: (context, input, series, data) => auditSynthesis(context, input, syntheticSeries(series), data),
  pageNames: [FILES.statement],
  pages: async (input, series, told, context) => {
    const synthetic = syntheticSeries(series);
    const attributes = await publicAttributes(context.releaseStore, synthetic);
    const privacy = syntheticPrivacyFile(synthetic, attributes, input, input.holes);
    const text = syntheticStatement(synthetic, privacy, synthesisCertificate(synthetic, input.correction), told);
    return [[FILES.statement, Buffer.from(text, 'utf8')]];
  },
  describe: async (input, series, context) => {
    const synthetic = syntheticSeries(series);
    const attributes = await publicAttributes(context.releaseStore, synthetic);
    const drawn = await drawnPartitions(context, input, synthetic);
    return describeSynthesis(synthetic, syntheticPrivacyFile(synthetic, attributes, input, input.holes), drawn);
  },
  publicLists: (series) =>
    Object.fromEntries(listsOf(syntheticSeries(series)).map((digest, place) => [`list-${place + 1}`, digest])),
};
