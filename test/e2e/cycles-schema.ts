/**
 * A company that hires out bicycles, as a SQLite file: small, with one thing that is clear (the kind of a bicycle), and
 * one that is not (the country of a hire, which is where it began or where it ended).
 */
export const cyclesSchema = `
create table bicycles (
  bicycle_id integer primary key,
  model text not null,
  kind text not null,
  price real not null
);
create table riders (
  rider_id integer primary key,
  name text not null,
  joined_on text not null
);
create table hires (
  hire_id integer primary key,
  bicycle_id integer not null references bicycles,
  rider_id integer not null references riders,
  pickup_country text not null,
  return_country text not null,
  started_on text not null,
  kilometres real not null
);
insert into bicycles
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 48)
  select i, 'Model ' || (i % 12), case i % 3 when 0 then 'cargo' when 1 then 'folding' else 'tandem' end, 300 + i * 7
  from n;
insert into riders
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 40)
  select i, 'Rider ' || i, date('2025-01-01', '+' || (i * 3) || ' days') from n;
insert into hires
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
  select i, 1 + i % 48, 1 + i % 40,
    case when i % 3 = 0 then 'Norway' when i % 3 = 1 then 'Denmark' else 'Portugal' end,
    case when i % 4 = 0 then 'Norway' when i % 4 = 1 then 'Denmark' else 'Portugal' end,
    date('2026-01-01', '+' || (i % 300) || ' days'), 1 + (i % 37) * 1.5
  from n;
`
