import { describe, expect, it } from 'vitest'
import { type DigestFields, digestFormIds, readDigestForm } from '../../../../src/slack/views/digests/form.ts'

const fields: DigestFields = {
  title: 'Orders',
  schedule: 'every weekday at 09:00',
  timeZone: 'Europe/Berlin',
  where: 'channel',
  channel: 'C1',
  condition: 'always',
  value: '',
}

const read = (given: Partial<DigestFields>) => readDigestForm({ ...fields, ...given }, 'U1')

const errorsOf = (given: Partial<DigestFields>) => {
  const found = read(given)
  return found.status === 'unfit' ? Object.keys(found.errors) : []
}

describe('reading the form of a digest', () => {
  it('reads what fits', () => {
    expect(read({})).toEqual({
      status: 'read',
      form: {
        title: 'Orders',
        schedule: 'every weekday at 09:00',
        timeZone: 'Europe/Berlin',
        condition: { kind: 'always' },
        target: { kind: 'channel', channel: 'C1' },
      },
    })
    expect(read({ title: '' })).toMatchObject({ form: expect.not.objectContaining({ title: '' }) })
    expect(read({ where: 'person', channel: null })).toMatchObject({
      form: { target: { kind: 'person', person: 'U1' } },
    })
  })

  it.each([
    ['1000', 1_000],
    ['1,000', 1_000],
    ['-12.5', -12.5],
    ['−3', -3],
  ])('takes %s for a number', (value, number) => {
    expect(read({ condition: 'above', value })).toMatchObject({
      form: { condition: { kind: 'above', value: number } },
    })
  })

  it('takes a percent sign', () => {
    expect(read({ condition: 'moved', value: '10 %' })).toMatchObject({
      form: { condition: { kind: 'moved', percent: 10 } },
    })
  })

  it.each(['', 'many', '1,5', '1e9', '0x10', 'Infinity'])('says at the field that %j is no number', value => {
    expect(errorsOf({ condition: 'below', value })).toEqual([digestFormIds.value])
  })

  it('wants a move of more than nothing', () => {
    expect(errorsOf({ condition: 'moved', value: '0' })).toEqual([digestFormIds.value])
    expect(errorsOf({ condition: 'moved', value: '-5' })).toEqual([digestFormIds.value])
  })

  it.each(['always', 'changed'] as const)('does not pass over a number that %s has no use for', condition => {
    expect(errorsOf({ condition, value: '77' })).toEqual([digestFormIds.value])
    expect(errorsOf({ condition, value: '' })).toEqual([])
  })

  it.each(['', 'Berlin', '+01:00', 'Mars/Olympus'])('knows no time zone %j', timeZone => {
    expect(errorsOf({ timeZone })).toEqual([digestFormIds.timeZone])
  })

  it('says all that is wrong at once', () => {
    expect(
      errorsOf({ schedule: '', timeZone: 'x', channel: null, condition: 'above', value: 'x' }).toSorted(),
    ).toEqual(
      [digestFormIds.channel, digestFormIds.schedule, digestFormIds.timeZone, digestFormIds.value].toSorted(),
    )
  })
})
