import type { QuestionContext } from '../../core/brief.ts'
import type { Candidate } from '../../core/candidate.ts'
import { QuerentError } from '../../core/errors.ts'
import type { RunStore } from '../../core/workbench.ts'

/** A workbench that lives as long as the process: for `ask` and `eval`, whose runs nobody resumes. */
export const makeMemoryRunStore = (): RunStore & { forget(questionId: string): void } => {
  const briefs = new Map<string, QuestionContext>()
  const candidates = new Map<string, Map<string, Candidate>>()
  return {
    saveContext: async (questionId, brief) => {
      briefs.set(questionId, brief)
    },
    loadContext: async questionId => {
      const brief = briefs.get(questionId)
      if (!brief) throw new QuerentError('internal', `no brief was saved for question ${questionId}`)
      return brief
    },
    saveCandidates: async (questionId, saved) => {
      const known = candidates.get(questionId) ?? new Map<string, Candidate>()
      for (const candidate of saved) known.set(candidate.id, candidate)
      candidates.set(questionId, known)
    },
    loadCandidates: async questionId =>
      [...(candidates.get(questionId)?.values() ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1)),
    forget: questionId => {
      briefs.delete(questionId)
      candidates.delete(questionId)
    },
  }
}
