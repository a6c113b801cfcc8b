import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'

/** The server that the suites over the MySQL connector run on; null where there is none. */
export const mysqlServerUrl = requireService('MYSQL_URL', 'the MySQL connector')

export const isMariaDb = mysqlServerUrl !== null && (await flavourOf(mysqlServerUrl)) === 'mariadb'

async function flavourOf(url: string): Promise<string> {
  const database = await createMysqlDatabase(url)
  await database.drop()
  return database.flavour
}

/** Numbers from 1 to `count` without a table: MariaDB has a storage engine for it, and MySQL a limit that is to be lifted. */
export const mysqlNumbers = (count: number): string =>
  isMariaDb
    ? `select seq as n from seq_1_to_${count}`
    : `select /*+ SET_VAR(cte_max_recursion_depth=4294967295) */ n from (with recursive c(n) as (select 1 union all select n + 1 from c where n < ${count}) select n from c) x`

/** Runs for minutes. Not sleep() or benchmark(): when these are stopped, they end well. */
export const mysqlRunaway = `select count(*) from (${mysqlNumbers(200_000)}) a, (${mysqlNumbers(200_000)}) b where a.n + b.n > 0`
