import { parse } from 'yaml'
import { readFileIfThere } from '../../config/edit/replace-file.ts'
import type { InitRun } from './init-run.ts'

/** The variable that holds the address of a database in querent.yml; null where the address stands there itself. */
export const findAddressVariable = async (run: InitRun, name: string): Promise<string | null> => {
  const { file } = run.setup().config
  const text = file === null ? null : await readFileIfThere(file)
  const url: unknown = text === null ? null : parse(text)?.databases?.[name]?.url
  return typeof url === 'string' ? (/^\$\{(\w+)\}$/.exec(url)?.[1] ?? null) : null
}
