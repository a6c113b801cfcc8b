import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Functions of BigQuery that only compute: no session, no network, no model, no key, no table function. */
export const bigqueryFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `any_value approx_count_distinct approx_quantiles approx_top_count approx_top_sum array_agg array_concat_agg
     bit_and bit_or bit_xor countif logical_and logical_or max_by min_by string_agg percentile_cont percentile_disc
     hll_count.init hll_count.merge hll_count.extract`,
    `if ifnull nullifzero zeroifnull safe_cast bool int64 float64 string`,
    `safe_divide safe_add safe_subtract safe_multiply safe_negate ieee_divide div cbrt is_inf is_nan rand
     range_bucket cosh sinh tanh acosh asinh atanh sec csc csch sech coth`,
    `ascii byte_length chr code_points_to_string contains_substr edit_distance ends_with format from_base32
     from_base64 from_hex initcap instr lpad normalize normalize_and_casefold regexp_contains regexp_extract
     regexp_extract_all regexp_instr regexp_replace regexp_substr repeat rpad safe_convert_bytes_to_string soundex
     split starts_with strpos to_base32 to_base64 to_code_points to_hex translate unicode`,
    `date date_add date_diff date_from_unix_date date_sub date_trunc date_bucket format_date last_day parse_date
     unix_date datetime datetime_add datetime_diff datetime_sub datetime_trunc datetime_bucket format_datetime
     parse_datetime current_datetime time time_add time_diff time_sub time_trunc format_time parse_time
     timestamp timestamp_add timestamp_diff timestamp_sub timestamp_trunc timestamp_bucket format_timestamp
     parse_timestamp timestamp_seconds timestamp_millis timestamp_micros unix_seconds unix_millis unix_micros
     make_interval justify_days justify_hours justify_interval generate_date_array generate_timestamp_array
     range range_contains range_overlaps range_start range_end range_intersect`,
    `array array_concat array_first array_last array_length array_reverse array_slice array_to_string array_includes
     array_min array_max array_sum array_avg generate_array unnest struct offset safe_offset ordinal safe_ordinal`,
    `json_value json_query json_query_array json_value_array json_extract json_extract_scalar json_extract_array
     json_extract_string_array json_type json_keys parse_json to_json to_json_string lax_bool lax_float64 lax_int64
     lax_string`,
    `md5 sha1 sha256 sha512 farm_fingerprint generate_uuid`,
    `st_area st_asgeojson st_astext st_centroid st_contains st_coveredby st_covers st_distance st_dwithin
     st_geogfromtext st_geogpoint st_intersects st_length st_within st_x st_y`,
  ),
])
