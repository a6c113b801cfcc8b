import { describe, expect, it } from 'vitest'
import { withStrategy } from '../../../src/cli/strategy.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { makeFolder } from '../../config/make-folder.ts'

const read = () =>
  loadConfig({
    env: { OPENAI_API_KEY: 'key' },
    cwd: makeFolder({
      'querent.yml':
        'models: {drafter: {model: m}}\nstrategy: mac-sql\nstrategies:\n  mac-sql:\n    refinements: 1\n    shots: 0\n',
    }),
  })

describe('--strategy, --set and --shots', () => {
  it('leave the configuration as it is if nothing is given', () => {
    const config = read()
    expect(withStrategy(config, {})).toEqual(config)
  })

  it('replace single settings of the strategy, and keep those of querent.yml', () => {
    const config = read()
    const { strategy, strategies } = withStrategy(config, {
      set: ['refinements=2', 'models={"refiner":"small"}'],
      shots: '1',
    })
    expect(strategy).toBe('mac-sql')
    expect(strategies['mac-sql']).toMatchObject({ refinements: 2, shots: 1, models: { refiner: 'small' } })
    expect(
      withStrategy(config, { strategy: 'chase', set: ['selection=vote'] }).strategies.chase.selection,
    ).toBe('vote')
  })

  it.each([
    [{ strategy: 'magic' }, /There is no strategy “magic”\. Use adaptive/],
    [{ strategy: 'adaptive', set: ['shots=1'] }, /adaptive has no settings/],
    [{ set: ['shots'] }, /NAME=VALUE, not “shots”/],
    [{ set: ['shot=1'] }, /shot[\s\S]*It has these settings: selector, /],
    [{ shots: '9' }, /shots/],
  ])('say what is wrong with %j', (options, message) => {
    expect(() => withStrategy(read(), options)).toThrow(message)
  })
})
