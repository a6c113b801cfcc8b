import { describe, expect, it } from 'vitest'
import type { DigestForm } from '../../src/domain/digests/use-cases.ts'
import {
  find,
  form,
  lastWeek,
  nextRequest,
  prepareDigestTests,
  schedule,
  setup,
} from './prepare-digest-tests.ts'

prepareDigestTests()

describe('the limit on digests', () => {
  const tryOne = async (person: string, target: DigestForm['target'], request = nextRequest()) => {
    const questionId = await setup.answer('Hires last week', lastWeek)
    return setup.useCases.schedule({ questionId, person, form: { ...form, target }, request })
  }
  const channel = (name: string): DigestForm['target'] => ({ kind: 'channel', channel: name })
  const alone = (person: string): DigestForm['target'] => ({ kind: 'person', person })

  it('applies to a person in every way of getting one, and not to admins', async () => {
    Object.assign(setup.most, { perPerson: 2 })
    const request = nextRequest()
    const first = await tryOne('U1', channel('C1'), request)
    await tryOne('U1', alone('U1'))
    expect(await tryOne('U1', alone('U1'))).toMatchObject({
      status: 'not-allowed',
      reason: 'You have 2 digests, which is the limit for one person.',
      nextStep: expect.stringContaining('Delete one'),
    })
    // The form that made one, sent again, is told of that one.
    expect(await tryOne('U1', channel('C1'), request)).toEqual(first)
    const other = await tryOne('U2', alone('U2'))
    if (other.status !== 'scheduled') throw new Error('it was not made')
    const handOver = { digestId: other.digest.id, person: 'U2', to: 'U1' }
    expect(await setup.useCases.handOver(handOver)).toMatchObject({
      status: 'not-allowed',
      reason: 'They have 2 digests, which is the limit for one person.',
    })
    expect((await find(other.digest.id)).owner).toBe('U2')
    if (first.status !== 'scheduled') throw new Error('it was not made')
    await setup.useCases.remove({ digestId: first.digest.id, person: 'U1' })
    expect(await setup.useCases.handOver(handOver)).toMatchObject({ status: 'changed' })
    for (const _ of [1, 2, 3]) expect((await tryOne('UADMIN', alone('UADMIN'))).status).toBe('scheduled')
  })

  it('applies to a channel, no matter who owns them, and existing ones stay', async () => {
    Object.assign(setup.most, { perChannel: 1 })
    const { digest } = await schedule()
    expect(await tryOne('U2', channel('C1'))).toMatchObject({
      status: 'not-allowed',
      reason: 'That channel has 1 digest, which is the limit for one channel.',
    })
    const elsewhere = await tryOne('U2', channel('C2'))
    if (elsewhere.status !== 'scheduled') throw new Error('it was not made')
    const edit = (digestId: string, target: DigestForm['target'], person: string) =>
      setup.useCases.edit({ digestId, person, form: { ...form, target, title: 'Renamed' } })
    expect(await edit(elsewhere.digest.id, channel('C1'), 'U2')).toMatchObject({ status: 'not-allowed' })
    expect(await edit(digest.id, channel('C1'), 'U1')).toMatchObject({ digest: { title: 'Renamed' } })
    expect(await edit(elsewhere.digest.id, alone('U2'), 'U2')).toMatchObject({ status: 'changed' })
  })

  it('gives the last place to one of several concurrent requests', async () => {
    Object.assign(setup.most, { perPerson: 1 })
    const made = await Promise.all([1, 2, 3, 4].map(() => tryOne('U1', alone('U1'))))
    expect(made.map(({ status }) => status).sort()).toEqual([
      ...['not-allowed', 'not-allowed', 'not-allowed', 'scheduled'],
    ])
  })
})
