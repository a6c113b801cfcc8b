import type { Writable } from 'node:stream'
import pc from 'picocolors'
import type { AnswerReport } from '../core/answer.ts'
import type { Candidate } from '../core/candidate.ts'

/** Draws the whole run as a tree for `--explain`: candidates by path, their repairs, how each ended, the choice. */
export const writeRunTree = (out: Writable, report: AnswerReport): void => {
  const { outcome, candidates, usage } = report
  const chosen = outcome.status === 'answered' ? outcome.candidateId : null
  const paths = [...new Set(candidates.map(candidate => candidate.path))]
  const lines = [pc.bold(`question ${report.questionId}`)]
  for (const path of paths) {
    const own = candidates.filter(candidate => candidate.path === path)
    lines.push(`├─ ${path} (${own.length} ${own.length === 1 ? 'candidate' : 'candidates'})`)
    for (const candidate of own) lines.push(...candidateLines(candidate, candidate.id === chosen))
  }
  lines.push(`├─ model: ${usage.modelCalls} calls, ${usage.promptTokens + usage.completionTokens} tokens`)
  lines.push(`└─ ${outcome.status}`)
  out.write(`${lines.join('\n')}\n`)
}

const candidateLines = (candidate: Candidate, chosen: boolean): string[] => [
  `│  ├─ ${chosen ? pc.green('chosen ') : ''}${candidate.id}  prior ${candidate.prior.toFixed(2)}  ${endOf(candidate)}`,
  ...candidate.repairs.map(
    repair => `│  │    repair ${repair.round}: ${repair.errorClass}: ${repair.message}`,
  ),
  ...candidate.decisions.map(decision => `│  │    “${decision.phrase}” = ${decision.label}`),
  ...(candidate.unused?.length ? [`│  │    not used: ${candidate.unused.join(', ')}`] : []),
  `│  │    ${pc.dim(candidate.sql.replace(/\s+/g, ' '))}`,
]

const endOf = (candidate: Candidate): string => {
  const { run } = candidate
  if (!run) return pc.dim('not run')
  if (run.status === 'failed') return pc.red(`${run.errorClass}: ${run.message}`)
  return `${run.rowCount}x${run.columnCount} in ${Math.round(run.milliseconds)} ms, result ${run.groupKey.slice(0, 6)}`
}
