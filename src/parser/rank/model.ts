import trained from '../../../weights/parser-ranking.json' with { type: 'json' }

/** Turns scores into probabilities: a logistic model over features of a ranked list. */
type Calibration = Readonly<Record<string, number>>

/** All that training learned. */
export interface ParserModel {
  readonly weights: Weights
  readonly calibration: Calibration
}

/** Named evidence with its strength, such as `['col.exact', 1]`. Names are keys of the weights file. */
export type Features = readonly (readonly [name: string, value: number])[]

/** The weights of features; features without a weight count as zero. */
export type Weights = Readonly<Record<string, number>>

/** Sum of weighted features. */
export const weightedScore = (features: Features, weights: Weights): number => {
  let score = 0
  for (const [name, value] of features) score += (weights[name] ?? 0) * value
  return score
}

/** The model that ships. Its file says what it was trained on and how well it did. */
export const trainedModel: ParserModel = { weights: trained.weights, calibration: trained.calibration }

/** Interpretations beyond this rank have almost no share, and training saw no more. */
const MAX_COUNTED = 60

/**
 * The probability that each interpretation of a ranked list is right: a logistic model for the first, and the rest
 * divided among the others by their scores.
 */
export const calibrateConfidences = (
  drafts: readonly { readonly score: number; readonly features: Features }[],
  calibration: Calibration,
): readonly number[] => {
  const [first] = drafts
  if (!first) return []
  const scores = drafts.slice(0, MAX_COUNTED).map(draft => draft.score)
  const doubts = calibrationFeatures({ scores, features: first.features })
  let logit = 0
  for (const [name, value] of Object.entries(doubts)) logit += (calibration[name] ?? 0) * value
  const sure = 1 / (1 + Math.exp(-logit))
  return drafts.map(draft => sure * Math.exp(draft.score - first.score))
}

/** What the calibration needs of a ranked list. Scores are in descending order. */
interface RankedList {
  readonly scores: readonly number[]
  /** Features of the first interpretation. */
  readonly features: Features
}

const unresolvedFeatures = `fin.top fin.compare fin.focus fin.aggregate fin.number fin.not fin.each fin.between fin.matches
  fin.both drop.not drop.compare`

const guessedOutputs = `fin.display fin.displayUnnamed fin.all fin.allUnnamed fin.key role.showTable
  role.showTableUnnamed`

const oddFeatures = `odd.sumRepeated odd.limitOfOne odd.twoOrders odd.manyOutputs odd.outputTables odd.havingOne`

const importantCues = `count aggregate superlative compare not each order direction between both distinct or except
  matches unit by`

const splitNames = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const featureSets = {
  skipContent: { names: splitNames('skip.content'), most: 4 },
  skipNoun: { names: splitNames('skip.noun'), most: 2 },
  skipModifier: { names: splitNames('skip.modifier'), most: 2 },
  skipLinked: { names: splitNames('skip.linked'), most: 3 },
  skipValue: { names: splitNames('skip.value skip.capital skip.quoted skip.number'), most: 3 },
  skipCue: {
    names: new Set([...splitNames(importantCues)].map(cue => `skip.cue.${cue}`)),
    most: 3,
  },
  open: { names: splitNames(unresolvedFeatures), most: 3 },
  joins: { names: splitNames('join.count'), most: 4 },
  unnamed: { names: splitNames('join.unnamed join.unnamedNeeded'), most: 3 },
  weakLinks: { names: splitNames('col.related col.similar tab.related tab.similar'), most: 4 },
  missed: { names: splitNames('col.missed tab.missed'), most: 3 },
  valuePart: { names: splitNames('val.part'), most: 2 },
  text: { names: splitNames('text.quoted text.capital'), most: 2 },
  odd: { names: splitNames(oddFeatures), most: 3 },
  shown: { names: splitNames(guessedOutputs), most: 1 },
  counted: { names: splitNames('count.onceEach count.asJoined'), most: 1 },
  negated: { names: splitNames('not.absent not.member not.direct'), most: 1 },
  both: { names: splitNames('both.intersect'), most: 1 },
} as const

const MAX_MARGIN = 5

const MARGIN_OF_ONE = 6

const MAX_ROLES = 12

/** The inputs of the calibration, by name: how doubtful the first of a ranked list is. */
export const calibrationFeatures = ({ scores, features }: RankedList): Readonly<Record<string, number>> => {
  const best = scores[0] ?? 0
  const total = scores.reduce((sum, score) => sum + Math.exp(score - best), 0)
  const sums = new Map<string, number>()
  for (const [name, value] of features) sums.set(name, (sums.get(name) ?? 0) + value)
  const present = [...sums].filter(([, value]) => value !== 0).map(([name]) => name)
  const roles = present.filter(name => /^role\.[^.<>]+$/.test(name)).length
  const counted = Object.entries(featureSets).map(([key, { names, most }]) => {
    let sum = 0
    for (const name of names) sum += sums.get(name) ?? 0
    return [key, Math.min(sum, most)] as const
  })
  return {
    intercept: 1,
    logShare: -Math.log(total),
    share: 1 / total,
    margin: Math.min(scores.length > 1 ? best - (scores[1] ?? 0) : MARGIN_OF_ONE, MAX_MARGIN),
    keyOrder: present.some(name => /^out\.(key|measure)First/.test(name)) ? 1 : 0,
    steps: Math.min(roles, MAX_ROLES) / 4,
    ...Object.fromEntries(counted),
  }
}
