import type { Dialect } from '../../../../src/domain/sql.ts'
import { quoteLiteral } from '../../../../src/sql/render/quote.ts'
import { shopRows, type TableName, tableNames } from './shop-rows.ts'

/** What columns are called in a dialect. `instant` is a moment with a zone, where there is such a thing. */
const typesOf: Readonly<Record<Dialect, { moment: string; instant: string; flag: string }>> = {
  postgres: { moment: 'timestamp', instant: 'timestamptz', flag: 'boolean' },
  duckdb: { moment: 'timestamp', instant: 'timestamptz', flag: 'boolean' },
  mysql: { moment: 'datetime', instant: 'timestamp null', flag: 'boolean' },
  sqlite: { moment: 'timestamp', instant: 'timestamp', flag: 'boolean' },
}

/** Statements that make the tables and fill them. */
export const shopTables = (dialect: Dialect): string => {
  const { moment, instant, flag } = typesOf[dialect]!
  const zone = dialect === 'mysql' ? "set time_zone = '+01:00';" : ''
  return `${zone}
  create table customers (id integer primary key, name varchar(60) not null, country varchar(2), is_business ${flag} not null,
    signed_up date not null, referred_by integer, foreign key (referred_by) references customers (id));
  create table employees (id integer primary key, first_name varchar(20) not null, last_name varchar(20) not null,
    manager_id integer, hired_on date, foreign key (manager_id) references employees (id));
  create table categories (id integer primary key, name varchar(20) not null);
  create table products (id integer primary key, name varchar(20) not null, category_id integer, price decimal(8, 2) not null,
    cost_cents integer, foreign key (category_id) references categories (id));
  create table tags (id integer primary key, name varchar(20) not null);
  create table product_tags (product_id integer not null, tag_id integer not null, primary key (product_id, tag_id),
    foreign key (product_id) references products (id), foreign key (tag_id) references tags (id));
  create table orders (id integer primary key, customer_id integer, seller_id integer not null, approver_id integer,
    status varchar(10) not null, placed_at ${moment} not null, shipped_at ${moment}, due_on date, paid_at ${instant},
    freight decimal(6, 2), foreign key (customer_id) references customers (id),
    foreign key (seller_id) references employees (id), foreign key (approver_id) references employees (id));
  create table order_lines (id integer primary key, order_id integer not null, product_id integer, quantity integer not null,
    unit_price decimal(8, 2) not null, discount double precision, foreign key (order_id) references orders (id),
    foreign key (product_id) references products (id));
  create table tickets (id integer primary key, customer_id integer not null, opened_at ${moment} not null,
    closed_at ${moment}, minutes integer, topic varchar(20), foreign key (customer_id) references customers (id));
  ${tableNames.map(table => insertInto(table, dialect)).join('\n')}`
}

const insertInto = (table: TableName, dialect: Dialect): string => {
  const rows = shopRows[table]
  const columns = Object.keys(rows[0]!)
  const cell = (column: string, value: string | number | boolean | null): string =>
    column === 'paid_at' && typeof value === 'string' && (dialect === 'postgres' || dialect === 'duckdb')
      ? `'${value}+01'`
      : quoteLiteral(value, dialect)
  const values = rows.map(row => `(${columns.map(column => cell(column, row[column]!)).join(', ')})`)
  const into = `insert into ${table} (${columns.join(', ')}) values`
  // DuckDB checks a key to the same table row by row, but only sees rows of earlier statements.
  const separator = dialect === 'duckdb' ? `;\n${into} ` : ',\n'
  return `${into} ${values.join(separator)};`
}
