import type { Config } from '../config/config.ts'
import type { Candidate } from '../domain/candidate.ts'
import { withoutRights } from '../domain/database.ts'
import { type ComparedResult, type TrainingLine, trainingLines } from '../evaluation/training-pairs.ts'
import type { exportPairs } from '../ranking/learning/export-pairs.ts'
import { makeRenderPair } from './answering/render-pairs.ts'
import type { Resources } from './resources.ts'

type VotedPair = ReturnType<typeof exportPairs>[number]

/**
 * Pairs that people judged, as training data of a judge: with the question as it was read, and with rows as long as they
 * are kept. Only pairs whose better result somebody named; where people disagree, the heavier side counts.
 */
export const renderVotedPairs = async (
  pairs: readonly VotedPair[],
  {
    config,
    resources,
    now,
    signal,
  }: {
    readonly config: Pick<Config, 'models' | 'timeZone'>
    readonly resources: Pick<Resources, 'ownStore' | 'openDatabase'>
    readonly now: Date
    readonly signal: AbortSignal
  },
): Promise<{ readonly lines: readonly TrainingLine[]; readonly unopened: readonly string[] }> => {
  const { store } = await resources.ownStore()
  const { runStore, loadResult } = store
  const lines: TrainingLine[] = []
  const unopened = new Set<string>()
  for (const [database, ofDatabase] of Map.groupBy(agreedPairs(pairs), pair => pair.database)) {
    const opened = await resources.openDatabase(withoutRights(database), { signal }).catch(() => {
      signal.throwIfAborted()
      unopened.add(database)
      return null
    })
    if (opened === null) continue
    for (const { questionId, question, better, worse } of ofDatabase) {
      const candidates = await runStore.loadCandidates(questionId)
      const renderPair = makeRenderPair(opened, {
        seesRows: config.models?.judgeSeesRows ?? true,
        now: () => now,
        timeZone: config.timeZone,
        contextOf: () => runStore.loadContext(questionId).catch(() => null),
      })
      const compared = async ({ key, sql }: VotedPair['better']): Promise<ComparedResult> => {
        const resultId = resultOf(candidates, key)
        return { sql, result: resultId === null ? null : await loadResult(resultId) }
      }
      const pair = { right: await compared(better), wrong: await compared(worse) }
      const of = { questionId, database, question, source: 'votes' }
      lines.push(...(await trainingLines(pair, of, { renderPair, signal })))
    }
  }
  return { lines, unopened: [...unopened] }
}

const resultOf = (candidates: readonly Candidate[], key: string): string | null => {
  const run = candidates.find(({ run }) => run?.status === 'ran' && run.groupKey === key)?.run
  return run?.status === 'ran' ? run.resultId : null
}

/** Each two results of a question once, the way that weighs more; none if both ways weigh the same. */
const agreedPairs = (pairs: readonly VotedPair[]): readonly VotedPair[] => {
  const named = pairs.filter(({ isNamed }) => isNamed)
  const sideOf = ({ questionId, better, worse }: VotedPair): string =>
    JSON.stringify([questionId, better.key, worse.key])
  const weights = new Map<string, number>()
  for (const pair of named) weights.set(sideOf(pair), (weights.get(sideOf(pair)) ?? 0) + pair.weight)
  const seen = new Set<string>()
  return named.filter(pair => {
    const [own, other] = [sideOf(pair), sideOf({ ...pair, better: pair.worse, worse: pair.better })]
    const isFirst = !seen.has(own)
    seen.add(own)
    return isFirst && (weights.get(own) ?? 0) > (weights.get(other) ?? 0)
  })
}
