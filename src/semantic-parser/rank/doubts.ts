import type { Features } from './features.ts'

/** What of a ranked list the calibration looks at. Scores are in falling order. */
export interface RankedList {
  readonly scores: readonly number[]
  /** Evidence of the first. */
  readonly features: Features
}

const openEnds = `fin.top fin.compare fin.focus fin.aggregate fin.number fin.not fin.each fin.between fin.matches
  fin.both drop.not drop.compare`
const guessedOutputs = `fin.display fin.displayUnnamed fin.all fin.allUnnamed fin.key role.showTable
  role.showTableUnnamed`
const oddities = `odd.sumRepeated odd.limitOfOne odd.twoOrders odd.manyOutputs odd.outputTables odd.havingOne`
const tellingCues = `count aggregate superlative compare not each order direction between both distinct or except
  matches unit by`

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const sets = {
  skipContent: { names: list('skip.content'), most: 4 },
  skipNoun: { names: list('skip.noun'), most: 2 },
  skipModifier: { names: list('skip.modifier'), most: 2 },
  skipLinked: { names: list('skip.linked'), most: 3 },
  skipValue: { names: list('skip.value skip.capital skip.quoted skip.number'), most: 3 },
  skipCue: {
    names: new Set([...list(tellingCues)].map(cue => `skip.cue.${cue}`)),
    most: 3,
  },
  open: { names: list(openEnds), most: 3 },
  joins: { names: list('join.count'), most: 4 },
  unnamed: { names: list('join.unnamed join.unnamedNeeded'), most: 3 },
  weakLinks: { names: list('col.related col.similar tab.related tab.similar'), most: 4 },
  missed: { names: list('col.missed tab.missed'), most: 3 },
  valuePart: { names: list('val.part'), most: 2 },
  text: { names: list('text.quoted text.capital'), most: 2 },
  odd: { names: list(oddities), most: 3 },
  shown: { names: list(guessedOutputs), most: 1 },
  counted: { names: list('count.onceEach count.asJoined'), most: 1 },
  negated: { names: list('not.absent not.member not.direct'), most: 1 },
  both: { names: list('both.intersect'), most: 1 },
} as const

const MOST_MARGIN = 5
const MARGIN_OF_ONE = 6
const MOST_ROLES = 12

/** Measures of doubt about the first of a ranked list, by name: the inputs of the calibration. */
export const doubtsOf = ({ scores, features }: RankedList): Readonly<Record<string, number>> => {
  const best = scores[0] ?? 0
  const total = scores.reduce((sum, score) => sum + Math.exp(score - best), 0)
  const sums = new Map<string, number>()
  for (const [name, value] of features) sums.set(name, (sums.get(name) ?? 0) + value)
  const present = [...sums].filter(([, value]) => value !== 0).map(([name]) => name)
  const roles = present.filter(name => /^role\.[^.<>]+$/.test(name)).length
  const counted = Object.entries(sets).map(([key, { names, most }]) => {
    let sum = 0
    for (const name of names) sum += sums.get(name) ?? 0
    return [key, Math.min(sum, most)] as const
  })
  return {
    intercept: 1,
    logShare: -Math.log(total),
    share: 1 / total,
    margin: Math.min(scores.length > 1 ? best - (scores[1] ?? 0) : MARGIN_OF_ONE, MOST_MARGIN),
    keyOrder: present.some(name => /^out\.(key|measure)First/.test(name)) ? 1 : 0,
    steps: Math.min(roles, MOST_ROLES) / 4,
    ...Object.fromEntries(counted),
  }
}
