import type { RequestedView } from '../../domain/conversation.ts'
import type { AnswerChange } from '../../domain/interpretation.ts'
import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { Metric, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { FindValues, Understanding } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import {
  isNewQuestion,
  refersToPrevious,
  type StrippedFollowUp,
  stripFollowUpCues,
} from '../../parser/follow-up/detect-follow-up.ts'
import { readPlainEdit } from '../../parser/follow-up/plain-edit.ts'
import { toPlainTalk } from '../../parser/follow-up/plain-talk.ts'
import { type QueryDraft, refOf, wordsAt } from '../interpret/draft/query-draft.ts'
import type { FinishContext } from '../interpret/finish/layer-facts.ts'
import { weightyCues } from '../interpret/finish/rate-query.ts'
import { beginWithWholePeriod } from '../interpret/finish/time.ts'
import {
  evidenceOf,
  type MetricInterpretation,
  type MetricReader,
  type WordReading,
} from '../interpret/interpret-metrics.ts'
import { isCue } from '../interpret/terms.ts'
import {
  changeFigures,
  changeShown,
  countInstead,
  extremeInstead,
  listInstead,
  swapFigures,
} from './change-figures.ts'
import { changeFilters } from './change-filters.ts'
import { changeGroups, changeRunning, changeShare, shareOfThose, ungroup } from './change-groups.ts'
import { asksForOrder, bareNumber, changeOrder, changeRank } from './change-order.ts'
import { changeTime, mayBeSamePart, type PeriodMode, type PeriodShift, splitShift } from './change-time.ts'
import { type Change, type ChangeManner, isSamePlace, modelsNamed, subjectOfQuery } from './changed-query.ts'

/** What a follow-up changes. */
export type ChangedQuestion = Pick<MetricInterpretation, 'query' | 'figureIsAsked' | 'isYesNo'>

/** One way to take a follow-up, as a reading of the whole question that it makes. */
export interface ChangeReading extends MetricInterpretation {
  readonly changes: readonly AnswerChange[]
  readonly show: RequestedView | null
}

/** What reading changes takes besides the words. */
export interface ChangeParts {
  readonly reader: Pick<MetricReader, 'readWords'>
  readonly context: FinishContext
  readonly findValues: FindValues
  /** Finds the periods of words; a month without a year is one of the year that was asked about. */
  readonly understand: (text: string, year: string | null) => Pick<Understanding, 'text' | 'spans'>
}

/** Ways to cut the words that are tried. */
const MOST_CUTS = 24

/** How far "last year" as that part of it leads over the whole year. */
const SAME_PART_LEAD = 1

/**
 * Reads a message as a change of a metric query, best first; `new` if it is a question of its own. Empty if it cannot be
 * read so. Pure.
 */
export const readChange = (
  base: ChangedQuestion,
  said: string,
  parts: ChangeParts,
): readonly ChangeReading[] | 'new' => {
  const { text: words, adds } = plainWords(said)
  const stripped = stripFollowUpCues(words)
  const home = subjectOfQuery(base.query, parts.context)
  if (home === null || stripped.text === '') return []
  const manner: ChangeManner = {
    adds: stripped.adds || adds,
    joins: stripped.joins,
    replaces: stripped.replaces,
    // "Over time" is said of what is shown as it is.
    splits: /\b(?:over time|trend|split|break|broken|breakdown|drill|slice|segment|cut)\b/i.test(said),
    sharesThose:
      /^(?:what|which)(?:'s| is| was)? ?(?:the )?(?:share|percentage|percent|fraction|proportion|part|%) of (?:those|them|these|that|it)\b/i.test(
        stripped.text,
      ),
    negatesTwice: /^(?:excluding|except|not)\b.*\b(?:without|with no|missing|empty|unknown)\b/i.test(
      stripped.text,
    ),
    refers: adds || /\b(?:their|its|his|her|they|them|those|these)\b/i.test(said),
  }
  const plain =
    readPlain(base, stripped, { manner, home, parts }) ??
    readQualifiedFigure(base, stripped, { manner, home, parts })
  if (plain !== null) return plain
  const { rest, shift } = splitShift(stripped.text)
  const year = yearAsked(base.query)
  const read = parts.reader
    .readWords(parts.understand(rest, year), parts.findValues, home)
    .slice(0, MOST_CUTS)
  const [first] = read
  const isCued = adds || shift !== null || refersToPrevious(stripped)
  if (first && !isCued && asksByItself(first.draft, base.query, { stripped, home })) return 'new'
  const found = new Map<string, ChangeReading>()
  for (const words_ of read)
    for (const mode of ['as-said', 'same-part'] as const) {
      const reading = applyWords(base, words_, { manner, home, parts, shift, mode, text: rest })
      if (reading === null) continue
      const key = JSON.stringify(reading.query)
      const known = found.get(key)
      if (known === undefined || known.score < reading.score) found.set(key, reading)
    }
  return [...found.values()].toSorted((a, b) => b.score - a.score)
}

/** Words of politeness and of doing that say nothing about the change, and verbs that stand for other words. */
const plainWords = (said: string): { readonly text: string; readonly adds: boolean } => {
  const adding =
    /^(?:\W*(?:and|ok|okay|please|can you|could you|now|also)\b)*\W*(?:add|include|show me also|also (?:show|add|include|give))\b\s*/i
  const text = toPlainTalk(said)
    .replace(adding, '')
    .replace(
      /\b(?:(?:is|are|would be|will be) (?:enough|fine|sufficient|ok|okay|good|great|nice)|will do|would do|if possible|if you can|for now|for comparison|i (?:need|want|would like|only need|only want) )\b/gi,
      ' ',
    )
    .replace(
      /^(\W*(?:(?:and|but|ok|okay|now|please|can you|could you|let's)\b\W*)*)(?:drop|remove|hide|take out|filter out|strip out|get rid of|throw out|skip|omit)\b/i,
      '$1excluding',
    )
    .replace(
      /^(\W*(?:(?:and|but|ok|okay|now|please|can you|could you|let's)\b\W*)*)(?:make|turn|show|give me|express|put|display|see|do) (?:it|that|this|them)(?: (?:into|as if|to be))? (?=\w)/i,
      '$1',
    )
    .replace(/\bpercentages\b/gi, 'percentage')
    .replace(/\bas (?:%|shares)/gi, 'in percent')
    .replace(/\bin relative terms\b/gi, 'in percent')
    .replace(/\bpct\b/gi, 'percent')
    .replace(/\be-?mail addresse?s?\b/gi, 'email')
    .replace(/\s+/g, ' ')
    .trim()
  return { text, adds: adding.test(said) }
}

interface ChangeInput {
  readonly manner: ChangeManner
  readonly home: SemanticModel
  readonly parts: ChangeParts
}

const startChange = (
  { query, figureIsAsked }: ChangedQuestion,
  draft: QueryDraft,
  { manner, parts: { context } }: Pick<ChangeInput, 'manner' | 'parts'>,
): Change => ({
  query,
  figureIsAsked,
  said: [],
  used: new Set(),
  score: draft.score,
  unused: [],
  // Its groups are taken out one by one as they find a use.
  draft: { ...draft, groups: [...draft.groups] },
  manner,
  context,
})

const everything =
  /^(?:show |list |give |see )?(?:me |us )?(?:them )?(?:all|everything|all of (?:them|it)|the full list|the rest|every one|everyone)$/i

const together =
  /^(?:in total|overall|the (?:grand )?total|all together|altogether|total|combined|without (?:the |any )?(?:breakdown|grouping|split)|not (?:split|broken) (?:down|up)|as one (?:number|figure)|(?:just )?the (?:total|sum)|(?:sum|add) (?:it|them|that) (?:all )?up)$/i

/** Changes that name nothing of the layer; null if it is none of those. */
const readPlain = (
  base: ChangedQuestion,
  stripped: StrippedFollowUp,
  input: ChangeInput,
): readonly ChangeReading[] | null => {
  const { text } = stripped
  const { home, parts } = input
  const [empty] = parts.reader.readWords({ text: '', spans: [] }, parts.findValues, home)
  if (empty === undefined) return null
  const change = startChange(base, empty.draft, input)
  const done = (isMade: boolean): readonly ChangeReading[] | null =>
    isMade ? [toReading(change, base, empty, null)] : null
  const plain = readPlainEdit(text, stripped.replaces)
  if (plain?.kind === 'show') {
    change.said.push({ kind: 'view', view: plain.show })
    return [{ ...toReading(change, base, empty, plain.show), isYesNo: base.isYesNo }]
  }
  if (plain?.kind === 'why') return []
  if (plain?.kind === 'list') return done(listInstead(change))
  if (plain?.kind === 'count') {
    countInstead(change, home, { home })
    return done(true)
  }
  const isUngrouped = base.query.groupBy.length === 0 && base.query.rowsOf === null
  if (plain?.kind === 'measure' && (plain.fn === 'max' || plain.fn === 'min') && isUngrouped)
    return done(extremeInstead(change, plain.fn))
  if (everything.test(text) && base.query.limit !== null) {
    change.query = { ...change.query, limit: null }
    change.said.push({ kind: 'all-rows' })
    return done(true)
  }
  if (together.test(text) && ungroup(change)) return done(true)
  if (!asksForOrder(text)) return null
  for (const words of parts.reader
    .readWords(parts.understand(text, null), parts.findValues, home)
    .slice(0, MOST_CUTS)) {
    const ordered = startChange(base, words.draft, input)
    if (changeOrder(ordered, text, home)) return [toReading(ordered, base, words, null)]
  }
  return []
}

/** "Net" after revenue: a figure that is called by this word and the name of the one before. Null if there is none. */
const readQualifiedFigure = (
  base: ChangedQuestion,
  { text }: StrippedFollowUp,
  input: ChangeInput,
): readonly ChangeReading[] | null => {
  const { home, parts } = input
  const { metrics } = parts.context.index
  const [figure] = base.query.metrics
  const before = figure?.kind === 'named' ? metrics.get(figure.metric) : undefined
  if (figure?.kind !== 'named' || before === undefined) return null
  const namesOf = ({ label, synonyms }: Metric): readonly string[] => [label, ...synonyms].map(foldText)
  const wanted = namesOf(before).map(name => `${foldText(text).replace(/^the /, '')} ${name}`)
  const metric = [...metrics.values()].find(
    one => one !== before && namesOf(one).some(name => wanted.includes(name)),
  )
  const [empty] = parts.reader.readWords({ text: '', spans: [] }, parts.findValues, home)
  if (metric === undefined || empty === undefined) return null
  const change = startChange(base, empty.draft, input)
  swapFigures(change, [{ kind: 'named', metric: metric.name, filters: figure.filters }], home)
  return [toReading(change, base, empty, null)]
}

/** "Which ones are paused?" wants the rows. */
const listsOnes = /^(?:which|what) (?:ones|of (?:them|those|these))\b/i

const applyWords = (
  base: ChangedQuestion,
  words: WordReading,
  input: ChangeInput & {
    readonly shift: PeriodShift | null
    readonly mode: PeriodMode
    readonly text: string
  },
): ChangeReading | null => {
  const { home, shift, mode, text } = input
  const { draft } = words
  if (draft.cues.some(({ cue }) => cue.kind === 'unanswerable')) return null
  const change: Change & { readonly asksWhen: boolean } = {
    ...startChange(base, draft, input),
    asksWhen: /^when\b/i.test(text),
  }
  const isCompared = draft.cues.some(({ cue }) => ['versus', 'compare', 'growth'].includes(cue.kind))
  if (mode === 'same-part') {
    if (isCompared || !mayBeSamePart(change)) return null
    change.score += SAME_PART_LEAD
  }
  if (listsOnes.test(text) && !listInstead(change)) return null
  changeFilters(change, home)
  changeFigures(change, home)
  changeGroups(change, home)
  changeTime(change, shift, mode)
  if (!shareOfThose(change, base.query)) changeShare(change)
  changeRunning(change)
  changeRank(change, bareNumber(text))
  changeShown(change, home)
  if (JSON.stringify(change.query) === JSON.stringify(base.query)) return null
  rateLeftovers(change, home)
  if (isNegationLost(words)) {
    change.unused.push('not')
    change.score -= LOST_NEGATION
  }
  if (isGroupingLost(words)) {
    change.unused.push('by')
    change.score -= 1
  }
  return toReading(change, base, words, null)
}

/** What speaks against a reading of "without canceled ones" that counts the canceled ones. */
const LOST_NEGATION = 1.5

const isNegationLost = ({ sequence: { spans }, draft }: WordReading): boolean =>
  spans.some(({ term }) => isCue(term, 'not', 'except')) &&
  !draft.filters.some(({ filter }) => filter.kind === 'missing' || ('negated' in filter && filter.negated)) &&
  ![...draft.clauses, ...draft.events].some(({ negated }) => negated)

/** "By insurer" is no condition on those that are insured. */
const isGroupingLost = ({ sequence: { spans }, draft }: WordReading): boolean =>
  spans.some(({ term }) => isCue(term, 'by', 'each')) &&
  draft.groups.length === 0 &&
  draft.metrics.length === 0 &&
  !draft.cues.some(({ cue }) => cue.kind === 'grain' || cue.kind === 'part' || cue.kind === 'order')

/** What the words name and the change has no use for speaks against it. */
const rateLeftovers = (change: Change & { readonly asksWhen: boolean }, home: SemanticModel): void => {
  const { draft, query } = change
  const leave = (word: string, cost: number): void => {
    change.score -= cost
    change.unused.push(word)
  }
  const isRows = query.rowsOf !== null
  const isGroupOf = (model: string): boolean =>
    query.groupBy.some(
      key =>
        (key.kind === 'model' && key.model === model) || (key.kind === 'dimension' && key.at.model === model),
    )
  for (const { model, dimension, role, at } of draft.dimensions) {
    const ref = refOf(model, dimension)
    const isGrouped = query.groupBy.some(key => key.kind === 'dimension' && isSamePlace(key.at, ref))
    const isFiltered = JSON.stringify(query.filters).includes(JSON.stringify(dimension.name))
    if (role === 'counted' || (role === 'asked' && !isRows && !isGrouped && !isFiltered))
      leave(wordsAt(draft, at, dimension.label.toLowerCase()), 0.8)
  }
  for (const { model, role, at } of modelsNamed(change.draft)) {
    if (isRows || role === 'group' || role === 'counted' || model.name === home.name) continue
    const isFiltered = draft.filters.some(({ filter }) => 'at' in filter && filter.at.model === model.name)
    const isMeasured = query.metrics.some(
      use =>
        use.kind === 'made' &&
        (use.model === model.name || JSON.stringify(use.of).includes(`"${model.name}"`)),
    )
    if (!isGroupOf(model.name) && !isFiltered && !isMeasured)
      leave(wordsAt(draft, at, model.label.toLowerCase()), 0.8)
  }
  for (const { isUsed, dimension, at } of draft.events)
    if (!isRows && !isUsed) leave(wordsAt(draft, at, dimension.label.toLowerCase()), 0.5)
  for (const { join, at } of draft.roles)
    if (!query.show.some(({ via }) => via?.includes(join.name)))
      leave(wordsAt(draft, at, join.name.replaceAll('_', ' ')), 0.8)
  for (const { cue, at } of draft.cues)
    if (weightyCues.includes(cue.kind) && !change.used.has(cue.kind)) leave(wordsAt(draft, at, cue.kind), 0.8)
  // Two values side by side are listed with "and"; else one name was cut in two.
  const values = draft.filters.filter(({ filter }) => filter.kind === 'values').length
  if (values > 1 && !draft.cues.some(({ cue }) => cue.kind === 'and' || cue.kind === 'or'))
    change.score -= 0.7 * (values - 1)
  // "When were they opened?" wants the day.
  if (isRows && change.asksWhen) change.score -= draft.clauses.length + draft.filters.length
  // A value that could as well be what is shown: "add their account manager".
  if (isRows && change.manner.refers && draft.filters.length > 0) change.score -= 0.8
}

const toReading = (
  change: Change,
  base: ChangedQuestion,
  { sequence }: WordReading,
  show: RequestedView | null,
): ChangeReading => ({
  query: beginWithWholePeriod(change.query, change.context.today),
  score: sequence.score + change.score,
  unused: [...sequence.skipped.map(token => token.text), ...change.unused],
  corrected: sequence.spans.flatMap(({ text: from, corrected }) =>
    corrected === undefined ? [] : [{ from, to: corrected }],
  ),
  isYesNo: false,
  isRival: sequence.spans.some(({ isRival }) => isRival === true),
  figureIsAsked: base.figureIsAsked || change.figureIsAsked,
  evidence: evidenceOf(sequence, { score: change.score, namesRows: false }),
  changes: change.said,
  show,
})

/** How a part of a sentence begins that is about what was asked before. */
const fragment =
  /^(?:as|in|by|per|with|without|excluding|except|for|from|since|until|before|after|at|than|versus|vs|against|among)\b/i

/** Whether words that do not refer to anything before are a question of their own. */
const asksByItself = (
  draft: QueryDraft,
  base: MetricQuery,
  { stripped, home }: { readonly stripped: StrippedFollowUp; readonly home: SemanticModel },
): boolean => {
  const isKey = (model: string): boolean =>
    base.groupBy.some(key => key.kind === 'model' && key.model === model)
  const models = modelsNamed(draft).filter(({ model, role }) => role !== 'group' && !isKey(model.name))
  const isFragment = fragment.test(stripped.text)
  const named =
    draft.metrics.length > 0 || models.some(({ model }) => !isFragment || model.name !== home.name)
  const asked = draft.dimensions.some(
    ({ role, model, dimension }) =>
      role === 'asked' &&
      !base.groupBy.some(key => key.kind === 'dimension' && isSamePlace(key.at, refOf(model, dimension))),
  )
  if (isNewQuestion(stripped, named || asked)) return true
  if (!named || (isFragment && draft.metrics.length === 0)) return false
  const cues = ['grain', 'part', 'share', 'growth', 'running']
  const isSplit = draft.groups.length > 0 || draft.cues.some(({ cue }) => cues.includes(cue.kind))
  return isSplit || draft.ranks.length > 0 || draft.periods.length > 0
}

/** The one year that a query is about; null for none or several. */
const yearAsked = ({ period }: MetricQuery): string | null => {
  if (!period?.from || !period.until) return null
  const last = new Date(Date.parse(`${period.until}T00:00:00Z`) - 1).toISOString()
  return period.from.slice(0, 4) === last.slice(0, 4) ? last.slice(0, 4) : null
}
