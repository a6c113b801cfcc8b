import { clarificationText } from '../domain/answer-wording/clarifications.ts'
import type { Candidate, ExecutionGroup } from '../domain/candidate.ts'
import type { ClarificationOption, FindClarification, ScoredClarification } from '../domain/clarification.ts'
import { meaningOf, topicOf } from './clarification-topic.ts'
import {
  type DecisionVariable,
  decisionVariables,
  type KnownContender,
  makeContenders,
} from './contenders.ts'
import { chooseLabels, type DescribeStatement, formatHint, type LabelledBlock } from './labels.ts'
import { askNamedMeanings, findNamedAmbiguity, type NamedAmbiguity } from './named-meanings.ts'

/** Groups that are asked about: their options are all that fits, and all that a person will read. */
const MOST_OPTIONS = 4

/** A group less likely than this is not worth reading about. */
const LEAST_LIKELY = 0.03

/** A group that is this likely leads, whatever the others are. Two that share everything evenly have half each. */
const CLEARLY_LIKELY = 0.55

/**
 * What is less likely than this share of the leader is no rival of it: nobody is asked whether they meant that. Of 372
 * questions of Spider's dev split asked without a model, 4 % are then asked back instead of 32 %, and 65 % instead of
 * 49 % are answered right; where a rival was rarer than this, the leader was right three times in four.
 */
const RIVAL_SHARE = 0.6

/** Whether one group clearly leads, so that it is answered and the others are offered beside it. Best first. */
export const hasClearLeader = (groups: readonly Pick<ExecutionGroup, 'score'>[]): boolean => {
  const [leader, second] = groups
  if (leader === undefined || second === undefined) return true
  return leader.score >= CLEARLY_LIKELY || second.score < leader.score * RIVAL_SHARE
}

/** Whether the groups of an option are together at least a share of the leader. The leader's option always is. */
const isRival = (block: readonly number[], groups: readonly ExecutionGroup[], share: number): boolean => {
  const together = block.reduce((sum, at) => sum + (groups[at]?.score ?? 0), 0)
  return block.includes(0) || together >= (groups[0]?.score ?? 0) * share
}

/** Nobody chooses an answer without rows instead of the leading one. */
const isWanted = (block: readonly number[], contenders: readonly KnownContender[]): boolean =>
  block.includes(0) ||
  block.some(at => {
    const run = contenders[at]?.candidate.run
    return run?.status !== 'ran' || run.rowCount > 0
  })

/** What is less likely than this share of a clear leader is not offered beside it. */
const OFFERED_SHARE = 0.1

/** A question about one thing is preferred to one about everything when it is worth nearly as much. */
const NEARLY = 0.9

/**
 * Makes the search for the one question worth asking. Of all variables on which the leading groups differ the one with
 * the largest value is taken, then the one with the largest expected information gain (twenty questions with a noisy
 * prior: the gain is the entropy of the answer). Groups that no words tell apart share an option.
 */
export const makeFindClarification =
  (deps: { readonly describe?: DescribeStatement } = {}): FindClarification =>
  ({ question, catalog, groups: all, candidates, cannotAnswer = 0, heads = new Map(), subjectOf }) => {
    const groups = mergeRepeated(all, candidates)
    const [first] = groups
    const attempt = candidates.find(({ id }) => id === first?.representativeId)?.origin.attempt ?? 0
    const ambiguity = findNamedAmbiguity(candidates, { attempt, cannotAnswer })
    if (ambiguity?.isHeard) {
      const named = askNamedMeanings(groups, {
        ...{ question, candidates, mostOptions: MOST_OPTIONS },
        hintOf: candidate => hintOf(candidate, heads, subjectOf),
      })
      if (named !== null) return weighNamed(named, { ambiguity, groups })
    }
    const leading = groups
      .slice(0, MOST_OPTIONS)
      .filter((group, at) => at === 0 || group.score >= LEAST_LIKELY)
    if (leading.length < 2) return null
    const contenders = makeContenders(leading, { candidates, catalog })
    if (contenders === null) return null
    const probabilities = reserveForOtherAnswers(groups).map(group => group.score)
    // What is overruled is told of, not asked about.
    const isClear = ambiguity?.isHeard === false || hasClearLeader(groups)
    // What no word of the question tells apart is the parser's doubt, not the person's: of fifteen such questions read
    // by somebody else, fourteen made no sense. The likeliest reading is answered or refused instead.
    const isParsed = contenders.every(({ candidate }) => candidate.path === 'semantic-parser')
    const search = (use: ScoredClarification['use']): ScoredClarification | null => {
      const weighed = decisionVariables(contenders).flatMap(variable => {
        if (use !== 'last-resort' && !couldSettle(variable, contenders)) return []
        const labelled = chooseLabels(contenders, variable.blocks, {
          ...{ catalog, heads, ...deps, ...(subjectOf && { subjectOf }) },
          byResults: use !== 'offer',
        }).filter(
          ({ block }) =>
            isRival(block, leading, isClear ? OFFERED_SHARE : RIVAL_SHARE) && isWanted(block, contenders),
        )
        const options = labelled.map(({ block }) => block)
        if (options.length < 2) return []
        const gain = informationGain(probabilities, options)
        return [{ variable, labelled, gain, value: valueOfAsking(probabilities, options) }]
      })
      const most = Math.max(0, ...weighed.map(({ value }) => value))
      const [best] = weighed
        .filter(({ value }) => value >= most * NEARLY)
        .sort((a, b) => rankOf(a.variable) - rankOf(b.variable) || b.gain - a.gain)
      if (best === undefined) return null
      const { variable, labelled, gain, value } = best
      return {
        ...asQuestion(variable, labelled, { question, leading, contenders, heads, catalog, subjectOf }),
        ...{ gain, value, use },
      }
    }
    return search(isClear ? 'offer' : 'ask') ?? (isClear || isParsed ? null : search('last-resort'))
  }

/**
 * What asking about the meanings that models see is worth. A vote does not know that a question is ambiguous: a draft
 * that says so votes for each meaning. If it is, as a share of the drafts say, answering at once is right for one of
 * the meanings; asking is right for all of them.
 */
const weighNamed = (
  { clarification, blocks }: NonNullable<ReturnType<typeof askNamedMeanings>>,
  { ambiguity, groups }: { readonly ambiguity: NamedAmbiguity; readonly groups: readonly ExecutionGroup[] },
): ScoredClarification => {
  const probabilities = reserveForOtherAnswers(groups).map(group => group.score)
  return {
    clarification,
    gain: informationGain(probabilities, blocks),
    value: Math.max(valueOfAsking(probabilities, blocks), ambiguity.share * (1 - 1 / blocks.length)),
    use: 'ask',
  }
}

/**
 * Whether a person could settle what differs. The parser's interpretations of one question differ in much that nobody
 * means: a column more, a guess at what is counted. Of them only words that have two meanings are asked about. What a
 * model drafted differs in what the model took the question to mean.
 */
const couldSettle = ({ about }: DecisionVariable, contenders: readonly KnownContender[]): boolean =>
  about.kind === 'phrase' || contenders.some(({ candidate }) => candidate.path !== 'semantic-parser')

/** Words of the question first, then one kind of difference, then everything. */
const rankOf = ({ about }: DecisionVariable): number => ['phrase', 'slot', 'whole'].indexOf(about.kind)

const asQuestion = (
  variable: DecisionVariable,
  labelled: readonly LabelledBlock[],
  {
    question,
    leading,
    contenders,
    heads,
    catalog,
    subjectOf,
  }: {
    readonly subjectOf: Parameters<FindClarification>[0]['subjectOf']
    readonly question: string
    readonly leading: readonly ExecutionGroup[]
    readonly contenders: readonly KnownContender[]
    readonly heads: Parameters<FindClarification>[0]['heads']
    readonly catalog: Parameters<FindClarification>[0]['catalog']
  },
): Pick<ScoredClarification, 'clarification'> => {
  const options = labelled.map(({ block, label, isResult }): ClarificationOption => {
    const [first = 0] = block
    const contender = contenders[first] as KnownContender
    return {
      label,
      hint: isResult ? '' : hintOf(contender.candidate, heads, subjectOf),
      candidateIds: block.flatMap(at => leading[at]?.candidateIds ?? []),
      ...(isResult
        ? {}
        : { means: meaningOf({ variable, label, contender, question, contenders, catalog }) }),
    }
  })
  return {
    clarification: {
      question: clarificationText(topicOf({ variable, labelled, contenders, question })),
      options,
      // Blocks are in the order of their likeliest group, so that the leader's is the first.
      defaultOption: 0,
    },
  }
}

const hintOf = (
  candidate: Candidate,
  heads: Parameters<FindClarification>[0]['heads'],
  subjectOf: Parameters<FindClarification>[0]['subjectOf'],
): string => {
  const { run } = candidate
  if (run?.status !== 'ran') return ''
  return formatHint(heads?.get(run.resultId), run.rowCount, () => subjectOf?.(candidate)?.columns[0])
}

/** Entropy in bits of probabilities that need not add up to 1: what is missing is one more outcome. */
export const entropy = (probabilities: readonly number[]): number => {
  const rest = 1 - probabilities.reduce((sum, p) => sum + p, 0)
  return [...probabilities, rest].reduce((sum, p) => (p > 0 ? sum - p * Math.log2(p) : sum), 0)
}

/**
 * Expected information gain in bits, H(Y) - H(Y|X): Y is the right group, or none of them; X the option that a person
 * chooses, who knows Y. `options` are places of `probabilities`, each in one option at most; every Y that is in no
 * option ends in "something else".
 */
export const informationGain = (
  probabilities: readonly number[],
  options: readonly (readonly number[])[],
): number => {
  const missing = Math.max(0, 1 - probabilities.reduce((sum, p) => sum + p, 0))
  const offered = new Set(options.flat())
  const elsewhere = [...probabilities.filter((_, at) => !offered.has(at)), missing]
  const blocks = [...options.map(option => option.map(at => probabilities[at] ?? 0)), elsewhere]
  const left = blocks.reduce((sum, block) => {
    const mass = block.reduce((sum, p) => sum + p, 0)
    return mass > 0 ? sum + mass * entropy(block.map(p => p / mass)) : sum
  }, 0)
  return Math.max(0, entropy(probabilities) - left)
}

/**
 * What asking adds to the probability of a right answer. After a choice the likeliest group of the option is answered;
 * "something else" leaves the leader, who is then wrong. `probabilities` are best first.
 */
export const valueOfAsking = (
  probabilities: readonly number[],
  options: readonly (readonly number[])[],
): number => {
  const after = options.reduce(
    (sum, option) => sum + Math.max(0, ...option.map(at => probabilities[at] ?? 0)),
    0,
  )
  const now = probabilities[0] ?? 0
  const stays = options.some(option => option.includes(0)) ? 0 : now
  return after + stays - now
}

/**
 * Groups whose results differ in nothing but repeated rows, taken together: whether a name stands there twice is a
 * matter of how the answer is shown, and nobody is asked about it. The likeliest stands for all of them.
 */
const mergeRepeated = (
  groups: readonly ExecutionGroup[],
  candidates: readonly Candidate[],
): readonly ExecutionGroup[] => {
  const columnsKeys = new Map(
    candidates.flatMap(({ id, run }) => (run?.status === 'ran' ? [[id, run.columnsKey] as const] : [])),
  )
  const merged: { group: ExecutionGroup; keys: Set<string> }[] = []
  for (const group of groups) {
    const keys = group.candidateIds.flatMap(id => columnsKeys.get(id) ?? [])
    const same = merged.find(one => keys.some(key => one.keys.has(key)))
    if (same === undefined) {
      merged.push({ group, keys: new Set(keys) })
      continue
    }
    for (const key of keys) same.keys.add(key)
    same.group = {
      ...same.group,
      candidateIds: [...same.group.candidateIds, ...group.candidateIds],
      score: same.group.score + group.score,
    }
  }
  // The first stays the first: it is what is answered without a reply.
  const [leader, ...others] = merged.map(({ group }) => group)
  return leader === undefined ? [] : [leader, ...others.sort((a, b) => b.score - a.score)]
}

/** Groups that have more than this together leave no room for an answer that nobody drafted. */
const NOTHING_RESERVED = 0.99

/**
 * How often one of those behind is right where the leader is wrong and there are others: 21 of 37 questions of the
 * labelled samples of docs/evaluation.md.
 */
const SHARE_OF_RUNNERS_UP = 0.57

/**
 * The groups with room for an answer that nobody drafted. A vote knows how likely its leader is, and shares all that
 * is left among the others; to weigh a question back that is too much, since often none of them is right. What already
 * adds up to less, as odds of the parser or of a selector that was calibrated for each group, stays as it is.
 */
export const reserveForOtherAnswers = (groups: readonly ExecutionGroup[]): readonly ExecutionGroup[] => {
  const all = groups.reduce((sum, { score }) => sum + score, 0)
  const [leader, ...others] = groups
  if (leader === undefined || all <= NOTHING_RESERVED) return groups
  return [leader, ...others.map(group => ({ ...group, score: group.score * SHARE_OF_RUNNERS_UP }))]
}

/** The search without a describer of whole statements. */
export const findClarification: FindClarification = makeFindClarification()
