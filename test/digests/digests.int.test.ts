import { describe, expect, it } from 'vitest'
import type { DigestForm } from '../../src/domain/digests/use-cases.ts'
import {
  find,
  form,
  lastWeek,
  nextRequest,
  notIn,
  perCity,
  prepareDigestTests,
  schedule,
  setup,
} from './prepare-digest-tests.ts'

/** What people do with digests, on a real store and a real database. */

prepareDigestTests()

describe('scheduling', () => {
  it('stores the answer with its periods, and says when it is due', async () => {
    const { digest, next, notes: remarks } = await schedule()
    expect(remarks).toEqual([])
    expect(next.map(due => due.toISOString())).toEqual([
      '2026-11-23T09:00:00.000Z',
      '2026-11-30T09:00:00.000Z',
      '2026-12-07T09:00:00.000Z',
    ])
    expect(await find(digest.id)).toEqual(digest)
    expect(digest.questions[0]?.statement.periods).toMatchObject([{ phrase: 'last week' }])
  })

  it('creates one digest from a form submitted twice', async () => {
    const questionId = await setup.answer('Hires last week', lastWeek)
    const given = { questionId, person: 'U1', form, request: 'the same' }
    const [first, second] = await Promise.all([
      setup.useCases.schedule(given),
      setup.useCases.schedule(given),
    ])
    expect(
      first.status === 'scheduled' && second.status === 'scheduled' && first.digest.id === second.digest.id,
    ).toBe(true)
    expect((await setup.store.repositories.digests.listAll(10)).length).toBe(1)
  })

  it('notes fixed dates', async () => {
    const sql = "select sum(n) as hires from hires where day > '2026-11-15' and day < '2026-11-23'"
    expect((await schedule({}, 'Hires last week', sql)).notes).toEqual([
      'Its SQL has fixed dates where the question says “last week”, so every run covers the same dates.',
    ])
  })

  it('refuses a numeric condition if the answer has no number', async () => {
    const cities = await setup.answer('Cities', 'select city, day from hires order by n desc')
    const try1 = (questionId: string, condition: DigestForm['condition']) =>
      setup.useCases.schedule({
        ...{ questionId, person: 'U1', request: nextRequest() },
        form: { ...form, condition },
      })
    for (const condition of [
      { kind: 'above', value: 1 },
      { kind: 'below', value: 1 },
      { kind: 'moved', percent: 5 },
    ] as const)
      expect(await try1(cities, condition)).toMatchObject({
        status: 'unfit',
        field: 'condition',
        reason: expect.stringContaining('no number'),
      })
    expect(await try1(cities, { kind: 'changed' })).toMatchObject({ status: 'scheduled' })
    expect(await try1(await setup.answer('Per city', perCity), { kind: 'above', value: 1 })).toMatchObject({
      status: 'scheduled',
    })
    // No rows today say nothing of tomorrow.
    const none = await setup.answer('None', "select city, n from hires where city = 'Rome'")
    expect(await try1(none, { kind: 'above', value: 1 })).toMatchObject({ status: 'scheduled' })
  })

  it('refuses a person who starts too many runs, as Run now does', async () => {
    const { digest } = await schedule()
    const tooMuch = { status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' } as const
    setup.fakes.limit = async person => (person === 'U1' ? tooMuch : null)
    const questionId = await setup.answer('Hires last week', lastWeek)
    expect(await setup.useCases.schedule({ questionId, person: 'U1', form, request: 'much' })).toEqual(
      tooMuch,
    )
    expect(await setup.useCases.runNow({ digestId: digest.id, person: 'U1', request: 'much' })).toEqual(
      tooMuch,
    )
    expect(setup.jobs).toEqual([])
    expect(
      await setup.useCases.runNow({ digestId: digest.id, person: 'UADMIN', request: 'a' }),
    ).toMatchObject({
      status: 'changed',
    })
  })

  it('refuses invalid input, by field', async () => {
    const questionId = await setup.answer('Hires last week', lastWeek)
    const tryWith = (given: Partial<DigestForm>, person = 'U1') =>
      setup.useCases.schedule({ questionId, person, form: { ...form, ...given }, request: 'never' })
    expect(await tryWith({ schedule: 'now and then' })).toMatchObject({ status: 'unfit', field: 'schedule' })
    expect(await tryWith({ condition: { kind: 'moved', percent: 0 } })).toMatchObject({ field: 'condition' })
    expect(await tryWith({ target: { kind: 'person', person: 'U2' } })).toMatchObject({ field: 'target' })
    setup.fakes.access = notIn('C2')
    expect(await tryWith({ target: { kind: 'channel', channel: 'C2' } })).toEqual({
      status: 'not-allowed',
      reason: 'Not in C2.',
      nextStep: 'Ask an admin.',
    })
    // A person who cannot see the answer cannot have it posted either.
    setup.fakes.access = notIn('C1')
    expect(await tryWith({ target: { kind: 'channel', channel: 'C2' } })).toMatchObject({
      status: 'not-allowed',
    })
    expect(
      await setup.useCases.schedule({ questionId: requestId(), person: 'U1', form, request: 'x' }),
    ).toEqual({
      status: 'gone',
    })
    expect(await setup.store.repositories.digests.listAll(10)).toEqual([])
  })
})

const requestId = () => '00000000-0000-4000-8000-000000000000'

describe('rights', () => {
  it('belong to the owner and admins, for everything', async () => {
    const { digest } = await schedule()
    const { useCases } = setup
    const by = (person: string) => ({ digestId: digest.id, person })
    const answered = await setup.answer('Hires per city', perCity)
    for (const refused of [
      await useCases.find(by('U2')),
      await useCases.pause(by('U2')),
      await useCases.resume(by('U2')),
      await useCases.remove(by('U2')),
      await useCases.edit({ ...by('U2'), form }),
      await useCases.addQuestion({ ...by('U2'), questionId: answered }),
      await useCases.removeQuestion({ ...by('U2'), digestQuestionId: 'x' }),
      await useCases.handOver({ ...by('U2'), to: 'U2' }),
      await useCases.runNow({ ...by('U2'), request: 'r' }),
      await useCases.decideRepair({ ...by('U2'), decision: 'accept', proposedAt: new Date(0) }),
    ])
      expect(refused).toMatchObject({ status: 'not-allowed' })
    expect(await find(digest.id)).toEqual(digest)
    expect(await useCases.pause(by('UADMIN'))).toMatchObject({ status: 'changed' })
    const list = (person: string, all: boolean) =>
      useCases.list({ person, team: 'T1', all, offset: 0, limit: 10 }).then(({ total }) => total)
    expect([await list('U1', false), await list('U2', true), await list('UADMIN', true)]).toEqual([1, 0, 1])
  })

  it('go to the new owner, if they have access', async () => {
    const { digest } = await schedule({ target: { kind: 'person', person: 'U1' } })
    setup.fakes.access = person =>
      person === 'U3'
        ? { status: 'refused', code: 'guest', reason: 'Guests may not.', nextStep: 'Ask an admin.' }
        : { status: 'allowed', database: 'cycles' }
    const handOver = (to: string) => setup.useCases.handOver({ digestId: digest.id, person: 'U1', to })
    expect(await handOver('U3')).toMatchObject({ status: 'unfit', field: 'person' })
    expect(await handOver('U2')).toMatchObject({
      status: 'changed',
      digest: { owner: 'U2', target: { kind: 'person', person: 'U2' } },
    })
    expect(await handOver('U1')).toMatchObject({ status: 'not-allowed' })
  })

  it('are reported as unknown to the person who changes the owner', async () => {
    const { digest } = await schedule()
    setup.fakes.access = () => ({
      status: 'unknown',
      database: null,
      reason: 'Who you are?',
      nextStep: 'Wait.',
    })
    expect(await setup.useCases.handOver({ digestId: digest.id, person: 'U1', to: 'U2' })).toEqual({
      status: 'not-allowed',
      reason: 'Slack did not tell me what they can see.',
      nextStep: 'Try again in a minute.',
    })
  })

  it('are checked at each run, which pauses the digest and tells its owner without asking the database', async () => {
    const { digest } = await schedule()
    setup.fakes.access = notIn('C1')
    setup.fakes.isAway = true
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.posts).toEqual([])
    expect(setup.notices).toEqual([{ kind: 'not-allowed', reason: 'Not in C1.', nextStep: 'Ask an admin.' }])
    expect(await find(digest.id)).toMatchObject({ pause: { why: 'not-allowed' }, nextDue: null })
  })

  it('require membership in the channel: when scheduled, changed, given away, requested and run', async () => {
    const { useCases, fakes } = setup
    const channel = (id: string) => ({ target: { kind: 'channel', channel: id } }) as const
    fakes.isIn = (person, id) => person === 'U1' && id !== 'C2'
    const questionId = await setup.answer('Hires last week', lastWeek)
    const refused = { status: 'not-allowed', reason: 'Not a member.' }
    expect(
      await useCases.schedule({
        ...{ questionId, person: 'U1', request: 'to C2' },
        form: { ...form, ...channel('C2') },
      }),
    ).toMatchObject(refused)
    const { digest } = await schedule()
    const by = { digestId: digest.id, person: 'U1' }
    expect(await useCases.edit({ ...by, form: { ...form, ...channel('C2') } })).toMatchObject(refused)
    // An admin's own membership lends the owner nothing.
    fakes.isIn = (person, id) => person === 'UADMIN' || (person === 'U1' && id !== 'C2')
    expect(
      await useCases.edit({ ...by, person: 'UADMIN', form: { ...form, ...channel('C2') } }),
    ).toMatchObject(refused)
    expect(await useCases.handOver({ ...by, to: 'U2' })).toMatchObject({ status: 'unfit', field: 'person' })
    fakes.isIn = () => false
    expect(await useCases.runNow({ ...by, request: 'r' })).toMatchObject(refused)
    await setup.at('2026-11-23T09:00:01Z')
    expect([setup.posts, setup.notices]).toMatchObject([
      [],
      [{ kind: 'not-allowed', reason: 'Not a member.' }],
    ])
    expect(await find(digest.id)).toMatchObject({ pause: { why: 'not-allowed' } })
  })

  it('are checked without a lock, and again if the digest changed meanwhile', async () => {
    const { digest } = await schedule()
    const { fakes, useCases } = setup
    const by = { digestId: digest.id, person: 'U1' }
    const edit = (title: string) => useCases.edit({ ...by, person: 'UADMIN', form: { ...form, title } })
    const meanwhile = (does: () => Promise<unknown>): void => {
      fakes.beforeAccess = async () => {
        fakes.beforeAccess = async () => {}
        expect(await does()).toMatchObject({ status: 'changed' })
      }
    }
    // While Slack takes its time, somebody else changes the digest: that does not wait for Slack.
    meanwhile(() => useCases.pause(by))
    expect(await edit('One')).toMatchObject({ digest: { title: 'One', pause: { by: 'U1' } } })
    // Whose rights count by then may have none.
    meanwhile(async () => {
      const changed = await useCases.handOver({ ...by, to: 'U2' })
      fakes.isIn = person => person !== 'U2'
      return changed
    })
    expect(await edit('Two')).toMatchObject({ status: 'not-allowed', reason: 'Not a member.' })
    expect(await find(digest.id)).toMatchObject({ title: 'One', owner: 'U2' })
  })

  it('do not refuse a run if they are unknown: it is retried', async () => {
    const { digest } = await schedule()
    setup.fakes.access = () => ({
      status: 'unknown',
      database: null,
      reason: 'Slack is away.',
      nextStep: 'Wait.',
    })
    await expect(setup.at('2026-11-23T09:00:01Z')).rejects.toThrow('Slack is away')
    expect([setup.notices, (await find(digest.id)).pause]).toEqual([[], null])
  })
})

describe('editing', () => {
  it('moves the next due time only with the schedule, and not past one that is due', async () => {
    const { digest } = await schedule()
    const edit = (given: Partial<DigestForm>) =>
      setup.useCases.edit({ digestId: digest.id, person: 'U1', form: { ...form, ...given } })
    setup.fakes.now = new Date('2026-11-23T09:00:05Z')
    expect(await edit({ title: 'Every Monday', condition: { kind: 'below', value: 2 } })).toMatchObject({
      digest: { title: 'Every Monday', condition: { kind: 'below', value: 2 }, nextDue: digest.nextDue },
    })
    expect(await edit({ schedule: 'tuesdays 09:00', timeZone: 'Asia/Kolkata' })).toMatchObject({
      digest: { title: 'Every Monday', nextDue: new Date('2026-11-24T03:30:00Z') },
    })
  })

  it('refuses a numeric condition if the last run found no number', async () => {
    const edit = (id: string, condition: DigestForm['condition']) =>
      setup.useCases.edit({ digestId: id, person: 'U1', form: { ...form, condition } })
    const { digest } = await schedule({}, 'Cities', 'select city, day from hires order by n desc')
    await setup.at('2026-11-23T09:00:05Z')
    expect(await edit(digest.id, { kind: 'above', value: 1 })).toMatchObject({
      status: 'unfit',
      field: 'condition',
      reason: expect.stringContaining('no number'),
    })
    expect(await edit(digest.id, { kind: 'changed' })).toMatchObject({ status: 'changed' })
    // One of several questions that has a number will do, although it has not run yet.
    const questionId = await setup.answer('Per city', perCity)
    await setup.useCases.addQuestion({ digestId: digest.id, questionId, person: 'U1' })
    expect(await edit(digest.id, { kind: 'above', value: 1 })).toMatchObject({ status: 'changed' })
  })

  it('adds and removes questions, but not the last one, and not over the limit', async () => {
    const { digest } = await schedule()
    const by = { digestId: digest.id, person: 'U1' }
    const only = digest.questions[0]?.id ?? ''
    expect(await setup.useCases.removeQuestion({ ...by, digestQuestionId: only })).toMatchObject({
      status: 'unfit',
    })
    for (const n of [1, 2, 3, 4, 5]) {
      const questionId = await setup.answer(
        `More than ${n}`,
        `select count(*) as c from hires where n > ${n}`,
      )
      const added = await setup.useCases.addQuestion({ ...by, questionId })
      expect(added.status).toBe(n < 5 ? 'changed' : 'unfit')
    }
    expect(await setup.useCases.removeQuestion({ ...by, digestQuestionId: only })).toMatchObject({
      digest: { questions: { length: 4 } },
    })
  })
})
