# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Checks that cmake/packages.txt is complete.

Everything outside the tree that the build and the tests touch - headers,
libraries, compilers, tools named in ./dev and in RUN lines - must belong to a
listed package, to what those depend on, or to Debian's minimal system. Asks
dpkg's files only, so it runs without a network.
"""

import argparse
import glob
import os
import re
import subprocess
import sys

DPKG = "/var/lib/dpkg"
# CMake's modules note these where they are, and go on where they are not.
OPTIONAL = {"PKG_CONFIG_EXECUTABLE", "LIBXML2_XMLLINT_EXECUTABLE"}


def read_status():
    """Installed packages: name -> (dependencies, priority, essential)."""
    packages, providers = {}, {}
    with open(f"{DPKG}/status", encoding="utf-8") as file:
        paragraphs = file.read().split("\n\n")
    for paragraph in paragraphs:
        fields = dict(re.findall(r"^([\w-]+): (.*)$", paragraph, re.M))
        if not fields.get("Status", "").endswith(" installed"):
            continue
        groups = []
        for key in ("Depends", "Pre-Depends"):
            for group in filter(None, fields.get(key, "").split(",")):
                groups.append(
                    [re.split(r"[\s:(]", name.strip())[0] for name in group.split("|")]
                )
        name = fields["Package"]
        packages[name] = (
            groups,
            fields.get("Priority"),
            fields.get("Essential") == "yes",
        )
        for provided in filter(None, fields.get("Provides", "").split(",")):
            provided = re.split(r"[\s:(]", provided.strip())[0]
            providers.setdefault(provided, []).append(name)
    return packages, providers


def closure(roots, packages, providers):
    """The roots and all that they depend on."""
    seen, todo = set(), list(roots)
    while todo:
        name = todo.pop()
        if name in seen or name not in packages:
            continue
        seen.add(name)
        for group in packages[name][0]:
            for alternative in group:
                if alternative in packages:
                    todo.append(alternative)
                    break
                if alternative in providers:
                    todo.extend(providers[alternative])
                    break
    return seen


def shell_commands(text):
    """Words in command position."""
    return set(
        re.findall(r"(?:^|[|;&(]|\bthen\b|\bdo\b|\belse\b)\s*([\w./+-]+)", text, re.M)
    )


def used_commands(source):
    with open(os.path.join(source, "dev"), encoding="utf-8") as file:
        words = shell_commands(re.sub(r"#.*", "", file.read()))
    for suffix in ("mlir", "test", "s"):
        pattern = os.path.join(source, "test", "**", "*." + suffix)
        for path in glob.glob(pattern, recursive=True):
            with open(path, encoding="utf-8") as file:
                for line in re.findall(r"RUN:(.*)", file.read()):
                    words |= shell_commands(line)
                    # not COMMAND, and the like.
                    words |= set(re.findall(r"\bnot(?: --crash)? ([\w-]+)", line))
    return words


def used_files(source, build, llvm_tools):
    files = set()
    for word in used_commands(source):
        for directory in (llvm_tools, "/usr/bin", "/bin", "/usr/sbin"):
            path = os.path.join(directory, word)
            if "/" not in word and os.path.isfile(path):
                files.add(path)
                break
        if word.startswith("/"):
            files.add(word)
    deps = subprocess.run(
        ["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True
    )
    files |= {line.strip() for line in deps.stdout.splitlines() if line[:1] == " "}
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        entries = re.findall(r"^(\w+):\w+=(/[^;\n]+)$", file.read(), re.M)
    for name, path in entries:
        if name.endswith("_DIR"):
            files |= set(glob.glob(f"{path}/*.cmake"))
        elif name not in OPTIONAL:
            files.add(path)
    binaries = glob.glob(f"{build}/bin/*") + glob.glob(f"{build}/test/unit/*Tests")
    for binary in binaries:
        ldd = subprocess.run(["ldd", binary], capture_output=True, text=True)
        files |= set(re.findall(r"=> (/\S+)", ldd.stdout))
    inside = (source + "/", build + "/")
    return {
        f
        for f in files
        if f.startswith("/") and not f.startswith(inside) and os.path.isfile(f)
    }


def owners(files):
    """Real path -> package, through dpkg's lists of files."""
    # Before merging /usr, packages list /lib/x as /lib/x.
    wanted = {}
    for file in files:
        real = os.path.realpath(file)
        wanted[real] = real
        if real.startswith("/usr/"):
            wanted[real[4:]] = real
    found = {}
    for path in glob.glob(f"{DPKG}/info/*.list"):
        package = os.path.basename(path)[:-5].split(":")[0]
        with open(path, encoding="utf-8") as file:
            for line in file:
                real = wanted.get(line.rstrip("\n"))
                if real:
                    found[real] = package
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--llvm-tools", required=True)
    parser.add_argument("--without", help="as if this package were not listed")
    arguments = parser.parse_args()

    with open(f"{arguments.source}/cmake/packages.txt", encoding="utf-8") as file:
        listed = set(re.sub(r"#.*", "", file.read()).split())
    listed.discard(arguments.without)
    packages, providers = read_status()
    minimal = {n for n, (_, priority, essential) in packages.items()
               if essential or priority == "required" or n == "apt"}  # fmt: skip
    allowed = closure(listed | minimal, packages, providers)

    files = used_files(arguments.source, arguments.build, arguments.llvm_tools)
    found = owners(files)
    failed = False
    for name in sorted(listed - set(packages)):
        print(f"{name}: listed but not installed")
        failed = True
    missing = {}
    for file in sorted(files):
        package = found.get(os.path.realpath(file))
        if package not in allowed:
            missing.setdefault(package, []).append(file)
    for package, examples in sorted(missing.items(), key=str):
        print(f"{package or 'no package'}: not in cmake/packages.txt, but it has")
        print("".join(f"  {example}\n" for example in examples[:5]), end="")
        failed = True
    print(f"{len(files)} files of {len(set(found.values()))} packages looked at")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
