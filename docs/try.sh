# What the guides share: the address, the key and three functions. In bash or zsh (on Windows: WSL or Git Bash), beside a running `npm start`:
#   . docs/try.sh

URL=${URL:-http://127.0.0.1:${PORT:-8787}}
KEY=${KEY:-prnl_019a0000-0000-7000-8002-000000000001_demo-store-local-key-never-used-elsewhere-01TTXgn}

# call METHOD PATH [curl's options]: a request with the key, and with $TOKEN where there is one.
call() {
  local bearer=()
  [ -z "$TOKEN" ] || bearer=(-H "Authorization: Bearer $TOKEN")
  curl -s -X "$1" "$URL$2" -H "X-API-Key: $KEY" "${bearer[@]}" -H 'Content-Type: application/json' "${@:3}"
}

# … | of data.id: a field of the answer; of an error, the answer itself.
of() {
  node -e 'const a = JSON.parse(fs.readFileSync(0)), at = `a.${process.argv[1]}`;
    if (a.errorCode && !/^error/.test(process.argv[1])) console.error(a), process.exit(1); else console.log(eval(at))' "$1"
}

# day 3: the date in three days.
day() { node -p "new Date(Date.now() + $1 * 864e5).toISOString().slice(0, 10)"; }

# Profiles, orders and activity also ask who acts: the holder of the key says so.
TOKEN=
TOKEN=$(call POST /api/auth/token -d '{"actor_type": "admin", "name": "Ada"}' | of access_token)
