import { chooseByMajority } from '../../src/ranking/strategies.ts'
import type { Judged, JudgedRepair } from './repaired-candidates.ts'

/** What the rules did to the statements of one class of failure. All figures are counts of statements. */
export interface ClassScore {
  readonly statements: number
  /** The rules had something to write. */
  readonly changed: number
  /** They ran after that, with nothing left to repair. */
  readonly wellAfter: number
  readonly rightBefore: number
  readonly rightAfter: number
  readonly lost: number
}

/** By class of what was wrong at first, with `all` of them in front. */
export const scoreByClass = (repairs: readonly JudgedRepair[]): Readonly<Record<string, ClassScore>> => {
  const failing = repairs.filter(({ before }) => before.problem !== null)
  const byClass = Map.groupBy(failing, ({ before }) => before.problem!)
  return Object.fromEntries(
    [['all', failing] as const, ...[...byClass].sort(([, a], [, b]) => b.length - a.length)].map(
      ([name, of]) => [name, scoreOf(of)],
    ),
  )
}

const scoreOf = (repairs: readonly JudgedRepair[]): ClassScore => {
  const count = (test: (repair: JudgedRepair) => boolean): number => repairs.filter(test).length
  const isChanged = ({ before, after }: JudgedRepair): boolean => before.sql !== after.sql
  return {
    statements: repairs.length,
    changed: count(isChanged),
    wellAfter: count(repair => isChanged(repair) && repair.after.problem === null),
    rightBefore: count(({ before }) => before.ex),
    rightAfter: count(({ after }) => after.ex),
    lost: count(({ before, after }) => before.ex && !after.ex),
  }
}

/** EX (0 to 1) of all statements, of the first of each question, of the majority, and of the best. */
export const scoreQuestions = (repairs: readonly JudgedRepair[], when: 'before' | 'after') => {
  const questions = [...Map.groupBy(repairs, ({ question }) => question).values()]
  const share = (test: (judged: readonly Judged[]) => boolean): number =>
    questions.filter(of => test(of.map(repair => repair[when]))).length / questions.length
  return {
    questions: questions.length,
    statements: repairs.filter(repair => repair[when].ex).length / repairs.length,
    first: share(([first]) => first?.ex ?? false),
    majority: share(judged => {
      const candidateVotes = judged.map(({ run }, at) => ({ candidateId: String(at), lineage: '', run }))
      const chosen = chooseByMajority(candidateVotes)
      return chosen !== null && judged[Number(chosen)]!.ex
    }),
    oracle: share(judged => judged.some(({ ex }) => ex)),
  }
}
