import type { ReplicasReport } from './run-replicas.ts'

/** The run over replicas in few numbers; times in seconds. */
export const summariseReplicas = ({ questions, kills, lost, took, seconds, problems }: ReplicasReport) => {
  const count = (verdict: string): number => questions.filter(one => one.verdict === verdict).length
  const after = lost.flatMap(({ doneAfterMs }) => (doneAfterMs === null ? [] : [doneAfterMs]))
  const at = (share: number): number =>
    inSeconds(took[Math.min(took.length - 1, Math.floor(took.length * share))])
  return {
    questions: questions.length,
    once: count('once'),
    twice: count('twice'),
    unanswered: count('unanswered'),
    unheard: count('unheard'),
    duplicates: questions.reduce((sum, one) => sum + one.duplicates, 0),
    explained: questions.reduce((sum, one) => sum + one.explained, 0),
    kills: kills.length,
    lost: lost.length,
    lostForGood: lost.length - after.length,
    latestAfterDeath: inSeconds(after.length === 0 ? 0 : Math.max(...after)),
    p50: at(0.5),
    p95: at(0.95),
    slowest: at(1),
    problems,
    seconds,
  }
}

const inSeconds = (ms: number | undefined): number => Math.round((ms ?? 0) / 100) / 10
