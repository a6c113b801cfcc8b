import { expect, it } from 'vitest'
import { makeAdmitQuestion } from '../../src/answering/ask-question.ts'
import type { Access, CheckAccess } from '../../src/domain/access/access.ts'

const location = { team: 'T', channel: 'D1' }

const unknown: Access = {
  status: 'unknown',
  database: 'outdoor',
  reason: 'Slack is away.',
  nextStep: 'Wait.',
}

it('admits a question only if the location asks its database, even if Slack does not identify the asker', async () => {
  const heard: Parameters<CheckAccess>[0][] = []
  const admit = makeAdmitQuestion(async asker => {
    heard.push(asker)
    return unknown
  })
  expect(await admit({ person: 'U1', location })).toEqual({ status: 'admitted', database: 'outdoor' })
  expect(await admit({ person: 'U1', location, asks: 'outdoor' })).toMatchObject({ status: 'admitted' })
  expect(await admit({ person: 'U1', location, asks: 'shop' })).toMatchObject({ status: 'not-allowed' })
  expect(heard.map(({ asks }) => asks)).toEqual([undefined, 'outdoor', 'shop'])
})
