# Runs fly-emu with the arguments and says its exit code.
fly-emu "$@"
echo "exit code $?"
