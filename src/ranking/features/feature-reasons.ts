import { mismatchReason } from '../question-match/compare-with-question.ts'
import { candidateMeasures } from './candidate-measures.ts'
import { groupMeasures } from './measure-groups.ts'

/** What a feature belongs to, for reports that leave one family out. */
export type FeatureFamily =
  | 'votes'
  | 'ranks'
  | 'agreement'
  | 'likeness'
  | 'parser'
  | 'verified'
  | 'result'
  | 'structure'
  | 'joins'
  | 'literals'
  | 'layer'
  | 'question match'
  | 'shape prior'

const families: readonly (readonly [prefix: string, family: FeatureFamily])[] = [
  ['vote-', 'votes'],
  ['rank-', 'ranks'],
  ['agree-', 'agreement'],
  ['alike-', 'likeness'],
  ['parser', 'parser'],
  ['verified-', 'verified'],
  ['result-', 'result'],
  ['sql-', 'structure'],
  ['join-', 'joins'],
  ['table-', 'joins'],
  ['literal-', 'literals'],
  ['layer-', 'layer'],
  ['mismatch-', 'question match'],
  ['prior-', 'shape prior'],
]

/** The family of a feature by its name; null for a name that this version does not know. */
export const familyOf = (feature: string): FeatureFamily | null =>
  families.find(([prefix]) => feature.startsWith(prefix))?.[1] ?? null

const others: Readonly<Record<string, string>> = {
  'literal-absent': 'a literal is not in the database',
  'prior-log-likelihood': 'its form is what such questions usually mean',
  'prior-surprise-shown': 'it shows something else than such questions usually ask for',
  'prior-surprise-rows': 'it keeps other rows than such questions usually mean',
  'prior-surprise-way': 'it goes another way than such questions usually need',
  'prior-columns': 'it shows the columns that the question asks for',
  'prior-columns-extra': 'it shows a column that the question hardly asks for',
  'prior-columns-missing': 'it lacks a column that the question asks for',
}

const own = new Map([...candidateMeasures, ...groupMeasures].map(({ name, reason }) => [name, reason]))

/** What a high value of a feature says, for a person; null for a name that this version does not know. */
export const reasonOf = (feature: string): string | null =>
  own.get(feature) ??
  others[feature] ??
  (feature.startsWith('mismatch-') ? mismatchReason(feature.slice('mismatch-'.length)) : null)
