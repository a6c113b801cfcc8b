import type { QuestionContext } from '../../src/core/brief.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { RunStore } from '../../src/core/workbench.ts'

/** What of one run has been read or written so far; null where nothing has. */
interface CachedRun {
  brief: QuestionContext | null
  candidates: Promise<Map<string, Candidate>> | null
}

/** A workbench that remembers, while a run lasts, what lies on it. */
export interface CachedRunStore extends RunStore {
  /** Begins to remember for a question, from nothing; returns what ends it. */
  open(questionId: string): () => void
}

/**
 * Makes it. Everything is written through before it counts, so a crash loses nothing; but the branches of a fan-out read
 * the same brief and the same candidates a dozen times, and those readings need not go to the database. A run begins
 * with an empty memory, since another process may have worked on the question before.
 */
export const makeCachedRunStore = (kept: RunStore): CachedRunStore => {
  const desks = new Map<string, CachedRun>()

  const remembered = (questionId: string, desk: CachedRun): Promise<Map<string, Candidate>> => {
    desk.candidates ??= kept
      .loadCandidates(questionId)
      .then(candidates => new Map(candidates.map(candidate => [candidate.id, candidate])))
      .catch((error: unknown) => {
        // The next one who asks reads again.
        desk.candidates = null
        throw error
      })
    return desk.candidates
  }

  return {
    open: questionId => {
      const desk: CachedRun = { brief: null, candidates: null }
      desks.set(questionId, desk)
      return () => {
        if (desks.get(questionId) === desk) desks.delete(questionId)
      }
    },
    saveContext: async (questionId, brief) => {
      await kept.saveContext(questionId, brief)
      const desk = desks.get(questionId)
      if (desk) desk.brief = brief
    },
    loadContext: async questionId => {
      const desk = desks.get(questionId)
      if (desk?.brief) return desk.brief
      const brief = await kept.loadContext(questionId)
      if (desk) desk.brief ??= brief
      return brief
    },
    saveCandidates: async (questionId, candidates) => {
      await kept.saveCandidates(questionId, candidates)
      const desk = desks.get(questionId)
      if (!desk) return
      // A reading that began before these were written may not have them, so they are put on top of it.
      const onDesk = await remembered(questionId, desk)
      for (const candidate of candidates) onDesk.set(candidate.id, candidate)
    },
    loadCandidates: async questionId => {
      const desk = desks.get(questionId)
      return desk ? inOrder(await remembered(questionId, desk)) : kept.loadCandidates(questionId)
    },
  }
}

/** By code unit, as the stored workbench orders them. */
const inOrder = (candidates: ReadonlyMap<string, Candidate>): readonly Candidate[] =>
  [...candidates.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
