import type { AnswerDeps, NodeRun } from '../deps.ts'
import { mayRequestNewestRows } from '../heavy/only-newest.ts'
import { normalizeQuestion } from '../recall/normal-question.ts'
import { schemaVersion } from '../recall/schema-version.ts'
import type { State, Update } from '../state.ts'

type RecallDeps = Pick<AnswerDeps, 'answerMemory' | 'workbench' | 'database' | 'listVerifiedIds' | 'selector'>

/**
 * Looks whether the same was answered a while ago, for somebody who may see the same: then that is the answer, and
 * neither a model nor the database is asked. SQL that the guard would refuse by now is not shown again. A change of an
 * answer is not looked for: it depends on how the answer before it was read, which its words do not tell. Nor is one over
 * the newest rows alone, which is read as the whole question is.
 */
export const makeRecallAnswer =
  (deps: RecallDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { question } = state
    const { answerMemory } = deps
    if (!answerMemory || mayRequestNewestRows(question.text)) return {}
    const { understanding } = await deps.workbench.loadContext(question.id)
    if (understanding.followUp) return {}
    const database = await deps.database(question.database, run)
    const verified = (await deps.listVerifiedIds?.(database.name)) ?? []
    const { key, answer } = await answerMemory.find({
      questionId: question.id,
      database: question.database,
      schemaVersion: [schemaVersion(database), ...verified].join(),
      question: normalizeQuestion(understanding),
      selector: (await deps.selector?.champion())?.version ?? null,
    })
    if (!answer || database.guard(answer.outcome.sql).verdict !== 'allow') return { cacheKey: key }
    const { show } = understanding
    await deps.workbench.saveContext(question.id, { ...answer.brief, understanding })
    await deps.workbench.saveCandidates(question.id, answer.candidates)
    return {
      candidateIds: answer.candidates.map(({ id }) => id),
      groups: answer.groups,
      outcome: { ...answer.outcome, ...(show && { show }) },
    }
  }
