import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { QuerentError } from '../domain/errors.ts'
import { isStrategyName, settingsOfStrategy, strategyNames } from '../domain/strategies/strategy.ts'
import { strategyCopy as copy } from './copy/evaluation.ts'

/** The options that choose a strategy and its settings. */
export interface StrategyOptions {
  readonly strategy?: string
  /** `NAME=VALUE`, as in the strategy's settings in querent.yml. */
  readonly set?: readonly string[]
  /** Short for `--set shots=N`. */
  readonly shots?: string
}

/**
 * The configuration with the strategy of the command line, whose settings replace those of querent.yml one by one. Throws
 * `bad-arguments` for a strategy or a setting that does not exist, and for a wrong value.
 */
export const withStrategy = (config: Config, { strategy, set = [], shots }: StrategyOptions): Config => {
  const name = strategy ?? config.strategy
  if (!isStrategyName(name)) throw wrong(copy.unknownStrategy(name, strategyNames))
  const given = [...set, ...(shots === undefined ? [] : [`shots=${shots}`])].map(readSetting)
  if (given.length === 0) return { ...config, strategy: name }
  const schema = settingsOfStrategy(name)
  if (schema === null) throw wrong(copy.noSettings(name))
  const current = Reflect.get(config.strategies, name) as object
  const read = schema.safeParse({ ...current, ...Object.fromEntries(given) })
  if (!read.success)
    throw wrong(copy.wrongSetting(name, z.prettifyError(read.error), Object.keys(schema.shape)))
  return { ...config, strategy: name, strategies: { ...config.strategies, [name]: read.data } }
}

const readSetting = (text: string): readonly [string, unknown] => {
  const at = text.indexOf('=')
  if (at < 1) throw wrong(copy.notASetting(text))
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    // What is no JSON is text: `selection=vote`.
    return [text.slice(0, at), value]
  }
}

const wrong = (message: string): QuerentError => new QuerentError('bad-arguments', message)
