import { describe, expect, it } from 'vitest'
import {
  allModels,
  drafterModels,
  type ModelTasks,
  settingsFor,
  withModel,
} from '../../src/llm/call-model.ts'

const big = { model: 'big', temperature: 0.2, timeoutMs: 9_000, fallbacks: ['spare'], budgetShare: 0.6 }

const tasks: ModelTasks = {
  drafter: big,
  fixer: { model: 'small', temperature: 0, timeoutMs: 5_000 },
  judge: { model: 'wise', temperature: 0, timeoutMs: 5_000, fallbacks: ['big', 'spare'] },
  drafters: [big, { ...big, model: 'other', temperature: 0.9 }, big],
}

describe('which model does which job', () => {
  it("a role without settings is the drafter's", () => {
    expect(settingsFor(tasks, 'planner')).toBe(big)
    expect(settingsFor(tasks, 'fixer').model).toBe('small')
  })

  it('one of several drafters has its own settings, a stranger those of the role', () => {
    expect(settingsFor(tasks, 'drafter', 'other').temperature).toBe(0.9)
    expect(settingsFor(tasks, 'drafter', 'stranger')).toEqual({ ...big, model: 'stranger' })
  })

  it('drafters are there once each, the drafter alone where no others are', () => {
    expect(drafterModels(tasks)).toEqual(['big', 'other'])
    expect(drafterModels({ drafter: big, fixer: big })).toEqual(['big'])
  })

  it('every model that may be asked is told, fallbacks included', () => {
    expect([...allModels(tasks)].sort()).toEqual(['big', 'other', 'small', 'spare', 'wise'])
  })

  it('a model that is named does everything alone, with the temperatures and limits of the roles', () => {
    const named = withModel(tasks, 'tried')
    expect(allModels(named)).toEqual(['tried'])
    expect(drafterModels(named)).toEqual(['tried'])
    expect(named.drafter).toMatchObject({ temperature: 0.2, budgetShare: 0.6, fallbacks: [] })
    expect(settingsFor(named, 'judge')).toMatchObject({ model: 'tried', temperature: 0 })
    expect(named.planner).toBeUndefined()
  })
})
