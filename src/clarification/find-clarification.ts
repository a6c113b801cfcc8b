import type { Candidate } from '../core/candidate.ts'
import type { ClarificationOption, FindClarification, ScoredClarification } from '../core/clarification.ts'
import type { ExecutionGroup } from '../core/execution-group.ts'
import { chooseLabels, type DescribeStatement, type LabelledBlock } from './choose-labels.ts'
import { type DecisionVariable, decisionVariables } from './decision-variables.ts'
import { informationGain, valueOfAsking } from './information.ts'
import { type KnownContender, makeContenders } from './make-contenders.ts'
import { meaningOf } from './meaning-of.ts'
import { mergeRepeated } from './merge-repeated.ts'
import { formatHint } from './say-result.ts'
import { writeQuestion } from './write-question.ts'

/** Groups that are asked about: their options are all that fits, and all that a person will read. */
const MOST_OPTIONS = 4
/** A group less likely than this is not worth reading about. */
const LEAST_LIKELY = 0.03
/** A question about one thing is preferred to one about everything when it is worth nearly as much. */
const NEARLY = 0.9

/**
 * Makes the search for the one question worth asking. Of all variables on which the leading groups differ the one with
 * the largest value is taken, then the one with the largest expected information gain (twenty questions with a noisy
 * prior: the gain is the entropy of the answer). Groups that no words tell apart share an option.
 */
export const makeFindClarification =
  (deps: { readonly describe?: DescribeStatement } = {}): FindClarification =>
  ({ question, catalog, groups: all, candidates, heads = new Map() }) => {
    const groups = mergeRepeated(all, candidates)
    const leading = groups
      .slice(0, MOST_OPTIONS)
      .filter((group, at) => at === 0 || group.score >= LEAST_LIKELY)
    if (leading.length < 2) return null
    const contenders = makeContenders(leading, { candidates, catalog })
    if (contenders === null) return null
    const probabilities = groups.map(group => group.score)
    const weighed = decisionVariables(contenders).flatMap(variable => {
      const labelled = chooseLabels(contenders, variable.blocks, { catalog, heads, ...deps })
      const options = labelled.map(({ block }) => block)
      return options.length < 2
        ? []
        : [
            {
              variable,
              labelled,
              gain: informationGain(probabilities, options),
              value: valueOfAsking(probabilities, options),
            },
          ]
    })
    const most = Math.max(0, ...weighed.map(({ value }) => value))
    const [best] = weighed
      .filter(({ value }) => value >= most * NEARLY)
      .sort((a, b) => rankOf(a.variable) - rankOf(b.variable) || b.gain - a.gain)
    if (best === undefined) return null
    const { variable, labelled, gain, value } = best
    return {
      ...asQuestion(variable, labelled, { question, leading, contenders, heads, catalog }),
      gain,
      value,
    }
  }

/** The search without a describer of whole statements. */
export const findClarification: FindClarification = makeFindClarification()

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
  }: {
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
      hint: isResult ? '' : hintOf(contender.candidate, heads),
      candidateIds: block.flatMap(at => leading[at]?.candidateIds ?? []),
      ...(isResult
        ? {}
        : { means: meaningOf({ variable, label, contender, question, contenders, catalog }) }),
    }
  })
  return {
    clarification: {
      question: writeQuestion({ variable, labelled, contenders, question }),
      options,
      // Blocks are in the order of their likeliest group, so that the leader's is the first.
      defaultOption: 0,
    },
  }
}

const hintOf = ({ run }: Candidate, heads: Parameters<FindClarification>[0]['heads']): string =>
  run?.status === 'ran' ? formatHint(heads?.get(run.resultId), run.rowCount) : ''
