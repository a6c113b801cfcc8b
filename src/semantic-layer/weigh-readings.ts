import trained from '../../weights/reading-choice.json' with { type: 'json' }

/** The weights of features for a reading by the layer and for one by the parser. */
export interface ReadingChoiceModel {
  readonly metric: Readonly<Record<string, number>>
  readonly parser: Readonly<Record<string, number>>
}

/** The model that ships. Its file says what it was trained on and how well it did. */
export const shippedReadingChoice: ReadingChoiceModel = { metric: trained.metric, parser: trained.parser }

/** How likely each of two readings is right; what is missing to 1 is that neither is. */
export interface ReadingOdds {
  readonly metric: number
  readonly parser: number
}

/** What is known of the parser's best reading; null if it has none. */
export interface ParserEvidence {
  readonly confidence: number
  readonly unused: number
  readonly sql: string
}

/** What speaks against a statement whatever was asked: it shows or compares keys, or takes one row for each group. */
const shapeFeatures = (
  { sql }: ParserEvidence,
  features: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> => {
  const flat = sql.replaceAll(/\s+/g, ' ')
  const shown = /^SELECT (?:DISTINCT )?(.*?) FROM /i.exec(flat)?.[1] ?? ''
  const flag = (is: boolean): number => (is ? 1 : 0)
  return {
    parserShowsKey: flag(/(?:^|[\s.,"`])\w*(?:_id|_key|Id)["`]?(?:,|$)/.test(shown) && features.names !== 1),
    parserComparesKey: flag(/[\w"`] (?:[<>]=?) [\w."`]*(?:_id|_key|Id)\b/.test(flat)),
    parserStar: flag(shown === '*'),
    parserGroups: flag(/ GROUP BY /i.test(flat)),
    parserOneOfGroups: flag(/ GROUP BY .* ORDER BY .* LIMIT 1$/i.test(flat) && features.perGroup === 1),
    parserCounts: flag(/COUNT\(/i.test(shown)),
    parserFigure: flag(/(?:SUM|AVG|MAX|MIN)\(/i.test(shown)),
    parserLacksFigure: flag(features.asksFigure === 1 && !/\(|[-+*/]/.test(shown)),
    parserOnlyDate: flag(
      /^[\w."`]*(?:_at|_on|_date|_month|_day|date|At|On|Date)["`]?$/.test(shown) && features.asksWhen !== 1,
    ),
    parserShowsDate: flag(features.asksWhen !== 1 && /(?:_at|_on|_date|At|On|Date)["`]?(?:,|$)/.test(shown)),
    parserLacksName: flag(
      features.namesRows === 1 && features.rows === 1 && shown.split(',').length <= (features.shown ?? 0),
    ),
    parserRows: flag(!/(?:COUNT|SUM|AVG|MAX|MIN)\(/i.test(flat)),
  }
}

/** The features of a choice: those of the reading by the layer, and what is known of the parser's. */
export const choiceFeatures = (
  features: Readonly<Record<string, number>>,
  parser: ParserEvidence | null,
): Readonly<Record<string, number>> => {
  const confidence = Math.min(0.999, Math.max(0.001, parser?.confidence ?? 0))
  return {
    ...features,
    parser: Math.log(confidence / (1 - confidence)),
    noParser: parser === null ? 1 : 0,
    parserUnused: Math.min(parser?.unused ?? 0, 3),
    ...(parser ? shapeFeatures(parser, features) : {}),
  }
}

/** Weighs the best reading by the layer against the parser's best. Both read the same words: they are one witness. */
export const weighReadings = (
  features: Readonly<Record<string, number>>,
  parser: ParserEvidence | null,
  model: ReadingChoiceModel = shippedReadingChoice,
): ReadingOdds => weighFeatures(choiceFeatures(features, parser), model)

/** The same, of features that were gathered before. */
export const weighFeatures = (
  features: Readonly<Record<string, number>>,
  model: ReadingChoiceModel,
): ReadingOdds => {
  const logit = (weights: Readonly<Record<string, number>>): number =>
    Object.entries(features).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0)
  const metric = Math.exp(logit(model.metric))
  const own = features.noParser === 1 ? 0 : Math.exp(logit(model.parser))
  const total = 1 + metric + own
  return { metric: metric / total, parser: own / total }
}
