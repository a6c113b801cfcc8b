import { randomUUID } from 'node:crypto'
import { type AskAgain, makeAskAgain } from '../../app/digests/ask-anew.ts'
import type { Resources } from '../../compose.ts'
import type { RunContext } from '../../core/run-context.ts'
import { makeAnswering } from '../answering/make-answering.ts'
import { digestRunContext } from '../audit/context-of-digest.ts'
import { once } from '../once.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { daysOfPhrase } from './digest-use-cases.ts'
import { makeReadRelativeSql } from './read-relative-at.ts'

/**
 * Wires how a question of a digest is asked anew: the ordinary way of a question in our own store, with a model where one
 * is configured. Its rights were checked by the run. Nothing is made before it is first asked.
 */
export const makeDigestAskAgain = (
  resources: Resources,
  { store }: Pick<OwnStore, 'store'>,
  { now }: { readonly now: () => Date },
): AskAgain => {
  const ask = once(async () => {
    const contexts = new Map<string, RunContext>()
    const { answer, keepQuestion, forget } = await makeAnswering(resources, {
      ...{ model: null, kept: 'in-store' },
      contextOf: questionId => contexts.get(questionId) ?? null,
    })
    return makeAskAgain({
      answer,
      keepQuestion: async (question, { digest, paidBy }) => {
        await keepQuestion(question)
        contexts.set(question.id, { ...digestRunContext(digest, paidBy), questionId: question.id })
      },
      forget: async questionId => {
        contexts.delete(questionId)
        await forget(questionId)
      },
      findUnderstanding: async id =>
        (await store.repositories.questionContexts.find(id))?.understanding ?? null,
      openDatabase: (name, options) => resources.openDatabase(name, options),
      readRelativeSql: makeReadRelativeSql(now, daysOfPhrase),
      newId: randomUUID,
      now,
    })
  })
  return async (question, given) => (await ask())(question, given)
}
