import type { NotAllowed } from '../../core/access.ts'
import type { DigestQuestion } from '../../core/digest.ts'
import type { DigestRefusal } from '../../core/digest-use-cases.ts'
import type { DigestDeps } from './digest-deps.ts'

/** An answer as a question of a digest; `team` is where it was asked. */
export interface NewDigestQuestion {
  readonly status: 'written'
  readonly question: DigestQuestion
  readonly team: string
  readonly remarks: readonly string[]
  /** The saved rows of the answer. */
  readonly resultId: string
}

/** Takes an answer as it stands for a digest, for somebody who may see it. */
export const makeDigestQuestion = async (
  deps: Pick<
    DigestDeps,
    | 'findAnswered'
    | 'findUnderstanding'
    | 'openDatabase'
    | 'access'
    | 'readRelativeSql'
    | 'knowSchema'
    | 'loadResult'
    | 'newId'
  >,
  { questionId, person }: { readonly questionId: string; readonly person: string },
): Promise<NewDigestQuestion | DigestRefusal> => {
  const answered = await deps.findAnswered(questionId)
  if (!answered) return { status: 'gone' }
  const { question, place, sql, resultId } = answered
  const { team, channel } = place
  const { database: view } = question
  const access = await deps.access.mayAsk({ person, place: { team, channel }, database: view })
  if (access.status !== 'allowed') return notAllowed(access)
  const database = await deps.openDatabase(view)
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse')
    return { status: 'unfit', field: 'question', reason: `Its SQL may not run: ${verdict.reason}.` }
  const understanding = await deps.findUnderstanding(questionId)
  const { dialect, catalog } = database
  const known = deps.knowSchema(verdict.guarded.sql, database, await deps.loadResult(resultId))
  const { statement, remarks } = deps.readRelativeSql({ sql: verdict.guarded.sql, dialect, understanding })
  return {
    status: 'written',
    team,
    remarks,
    resultId,
    question: {
      id: deps.newId(),
      // A follow-up says only what is different; the whole question is what it was understood as.
      text: understanding?.followUp || understanding?.rewritten ? understanding.text : question.text,
      database: view,
      statement,
      fingerprint: catalog.fingerprint,
      ...(known && { known }),
    },
  }
}

const notAllowed = ({ reason, nextStep }: { reason: string; nextStep: string }): NotAllowed => ({
  status: 'not-allowed',
  reason,
  nextStep,
})
