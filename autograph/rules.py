"""Which functions are converted when converted code calls them: the defaults, and the rules that people add.

By default the standard library and installed packages are left alone, and all other functions are converted. A rule for
a module holds for what is in it too; the longest name wins, and a rule for a function or class wins over its module's.
A function that is converted by name (`convert`, `to_graph`) needs no rule.
"""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable

# Libraries whose functions either have a staged meaning of their own or hold nothing to stage.
_LIBRARIES = frozenset(
    "autograph runtime gast astunparse numpy scipy sklearn pandas matplotlib PIL jax jaxlib torch tensorflow keras "
    "numba onnx onnxruntime pytest _pytest hypothesis IPython ipykernel pygments coverage pluggy".split()
)

# Built-in functions that some backend gives a staged meaning; all other built-ins are called as they are.
STAGED_BUILTINS = frozenset(
    "len range enumerate zip reversed map filter sorted min max sum any all abs round divmod pow int float bool "
    "complex list tuple dict set iter next str repr ascii format bin hex oct chr ord hasattr getattr vars dir "
    "type".split()
)
# Functions of libraries that draw random numbers, or make what does.
_DRAWING = {
    "numpy": (
        "random.Generator random.MT19937 random.PCG64 random.PCG64DXSM random.Philox random.SFC64 random.beta "
        "random.binomial random.bytes random.chisquare random.choice random.default_rng random.dirichlet "
        "random.exponential random.f random.gamma random.geometric random.gumbel random.hypergeometric "
        "random.laplace random.logistic random.lognormal random.logseries random.multinomial "
        "random.multivariate_normal random.negative_binomial random.noncentral_chisquare random.noncentral_f "
        "random.normal random.pareto random.permutation random.poisson random.power random.rand random.randint "
        "random.randn random.random random.random_integers random.random_sample random.RandomState random.ranf "
        "random.rayleigh random.sample random.seed random.shuffle random.standard_cauchy "
        "random.standard_exponential random.standard_gamma random.standard_normal random.standard_t "
        "random.triangular random.uniform random.vonmises random.wald random.weibull random.zipf"
    ),
    "random": "Random betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate "
    "normalvariate paretovariate randbytes randint random randrange sample seed shuffle triangular uniform "
    "vonmisesvariate weibullvariate",
}
# Functions of libraries that some backend gives a staged meaning, which the library itself does not pass on.
ERROR_STATES = frozenset(("errstate", "seterr"))  # NumPy's functions that say what becomes of floating-point errors
STAGED_FUNCTIONS = {
    "numpy": frozenset(
        "add.at bitwise_and.at bitwise_or.at bitwise_xor.at divide.at floor_divide.at fmax.at fmin.at logical_and.at "
        "logical_or.at maximum.at minimum.at multiply.at negative.at power.at remainder.at subtract.at "
        "arange array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray broadcast_shapes "
        "concat concatenate diag_indices full_like "
        "empty eye fft.fftfreq fft.rfftfreq full geomspace identity indices linspace logspace ndarray ones tri "
        "ndenumerate nditer tril_indices triu_indices zeros "
        "bool bool_ byte cdouble complex128 complex64 csingle double float16 float32 float64 half int16 int32 int64 "
        "int8 int_ intc intp long longlong short single ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulong "
        "ulonglong ushort".split()
        + _DRAWING["numpy"].split()
    )
    | ERROR_STATES,
    "jax": frozenset(  # they are given functions
        "checkpoint eval_shape grad hessian jacfwd jacobian jacrev jit jvp lax.associative_scan lax.cond "
        "lax.custom_root lax.fori_loop lax.map lax.scan lax.switch lax.while_loop linearize make_jaxpr "
        "numpy.apply_along_axis numpy.apply_over_axes numpy.piecewise numpy.vectorize pmap remat shard_map tree.map "
        "tree_util.tree_map "
        "value_and_grad vjp vmap experimental.checkify.checkify".split()
    ),
    "math": frozenset(
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf exp exp2 expm1 fabs "
        "factorial floor fmod frexp fsum gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp log log10 log1p log2 "
        "modf perm pow prod radians remainder sin sinh sqrt tan tanh trunc".split()
    ),
    "random": frozenset(_DRAWING["random"].split()),
    "collections": frozenset("Counter OrderedDict OrderedDict.fromkeys defaultdict deque fromkeys".split()),
    "queue": frozenset(("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue")),
    "functools": frozenset(("reduce",)),
    "itertools": frozenset("accumulate compress count dropwhile filterfalse takewhile".split()),
    "statistics": frozenset("fmean median median_high median_low".split()),
    "heapq": frozenset("heapify heappop heappush heappushpop heapreplace nlargest nsmallest".split()),
    "bisect": frozenset("bisect bisect_left bisect_right insort insort_left insort_right".split()),
}
# Functions of NumPy that pass on what a list holds, as they do with arrays themselves.
SEEN_THROUGH = frozenset(
    "block broadcast_arrays choose column_stack concat concatenate dstack hstack lexsort linalg.multi_dot "
    "ravel_multi_index row_stack select stack vstack".split()
)
# Functions of NumPy that pass on what their first argument is, and not what the others are.
LED_BY_FIRST = frozenset(
    "argpartition digitize isin pad partition repeat resize roll rot90 searchsorted take".split()
)  # fmt: skip
# Functions of libraries that show the user something, look at a clock or wait: a backend may do that when a graph runs.
ACTING = {
    "sys": frozenset("stdout.write stdout.writelines stdout.flush stderr.write stderr.writelines stderr.flush".split()),
    "logging": frozenset("critical debug error exception info log warning".split()),
    "time": frozenset(
        "monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns sleep thread_time "
        "thread_time_ns time time_ns".split()
    ),
    "timeit": frozenset(("default_timer",)),
    "warnings": frozenset(("warn",)),
    "_warnings": frozenset(("warn",)),
}
# Functions of libraries that ask the system something, or read or change a file: what they say may change from call to
# call, and what they do is done in each.
ASKING = {
    "builtins": frozenset(("input", "open")),
    "datetime": frozenset("date.today datetime.now datetime.today datetime.utcnow now today utcnow".split()),
    "email": frozenset("formatdate localtime make_msgid utils.formatdate utils.localtime utils.make_msgid".split()),
    "gc": frozenset("get_count get_objects get_stats isenabled".split()),
    "getpass": frozenset(("getpass",)),
    "glob": frozenset(("glob", "iglob")),
    "numpy": frozenset(
        "fromfile genfromtxt get_printoptions getbufsize geterr load loadtxt random.SeedSequence save savetxt savez "
        "savez_compressed".split()
    ),
    "os": frozenset(
        "abspath access chdir chmod chown environ.copy environ.get environ.items environ.keys environ.values exists "
        "expanduser expandvars fstat get get_terminal_size getatime getctime getcwd getenv getloadavg getmtime getpid "
        "getrandom getsize isdir isfile islink lexists link listdir lstat makedirs mkdir path.abspath path.exists "
        "path.expanduser path.expandvars path.getatime path.getctime path.getmtime path.getsize path.isdir path.isfile "
        "path.islink path.lexists path.realpath path.samefile popen read readlink realpath remove removedirs rename "
        "renames replace rmdir samefile scandir sched_getaffinity stat statvfs symlink system times truncate unlink "
        "urandom utime walk".split()
    ),
    "resource": frozenset(("getrusage",)),
    "secrets": frozenset("choice randbelow randbits token_bytes token_hex token_urlsafe".split()),
    "pickle": frozenset(("dump",)),
    "shutil": frozenset(
        "chown copy copy2 copyfile copymode copystat copytree disk_usage get_terminal_size make_archive move rmtree "
        "unpack_archive which".split()
    ),
    "subprocess": frozenset("Popen call check_call check_output getoutput getstatusoutput run".split()),
    "sys": frozenset(
        "get_int_max_str_digits getallocatedblocks getrecursionlimit getswitchinterval stdin.read stdin.readline "
        "stdin.readlines".split()
    ),
    "tempfile": frozenset("NamedTemporaryFile TemporaryFile mkdtemp mkstemp mktemp".split()),
    "threading": frozenset(("active_count", "get_ident")),
    "time": frozenset("asctime clock_gettime clock_gettime_ns ctime gmtime localtime strftime".split()),
    "timeit": frozenset(("repeat", "timeit")),
    "tracemalloc": frozenset(("get_traced_memory",)),
    "urllib": frozenset(("request.urlopen", "urlopen")),
    "uuid": frozenset(("uuid1", "uuid4")),
}
STAGED_TEXTS = frozenset(("format", "format_map", "join"))  # methods of text that have a staged meaning
# Methods of containers that look for what may be staged, and those of text that may be given such.
STAGED_LOOKUPS = frozenset(
    "get index count center endswith expandtabs find ljust lstrip partition removeprefix removesuffix replace rfind "
    "rindex rjust rpartition rsplit rstrip split startswith strip translate zfill".split()
)

_modules: dict[str, bool] = {}
_always: set[str] = set()
_functions: weakref.WeakKeyDictionary[types.FunctionType, bool] = weakref.WeakKeyDictionary()
_changed: list[Callable[[], object]] = []


def convert(*things: object) -> None:
    """Convert these when converted code calls them: modules (by name or themselves), functions and classes.

    Rules hold for what is converted from then on, so give them before.

    >>> convert("yaml.constructor")
    >>> why_left_alone("yaml.constructor"), why_left_alone("yaml")
    (None, None)
    >>> forget()
    """
    _set(things, True)


def convert_always(module: str) -> None:
    """Convert a module of this name, whatever the rules: it says in Python what one of Python's own types is."""
    _always.add(module)


def is_converted_always(module: str | None) -> bool:
    """Whether a module of this name says what one of Python's own types is."""
    return module in _always


def leave_alone(*things: object) -> None:
    """Call these as they are: modules (by name or themselves), functions and classes.

    >>> leave_alone("plotting")
    >>> why_left_alone("plotting.axes")
    'a rule leaves plotting alone'
    >>> forget()
    """
    _set(things, False)


def forget() -> None:
    """Take all rules back; what is marked `do_not_convert` stays so."""
    _modules.clear()
    _functions.clear()
    _tell()


def _set(things: tuple[object, ...], decision: bool) -> None:
    for thing in things:
        if isinstance(thing, str):
            _modules[thing] = decision
        elif isinstance(thing, types.ModuleType):
            _modules[thing.__name__] = decision
        elif functions := functions_of(thing):
            _functions.update(dict.fromkeys(functions, decision))
        else:
            raise TypeError(f"{thing!r} is no module (or its name), function or class; rules are about those.")
    _tell()


def functions_of(thing: object) -> list[types.FunctionType]:
    """A function by itself, or the one of a method, or those of a class."""
    if isinstance(thing, type):
        return [function for part in vars(thing).values() for function in functions_of(part)]
    if isinstance(thing, property):
        return [f for f in (thing.fget, thing.fset, thing.fdel) if isinstance(f, types.FunctionType)]
    function = getattr(thing, "__func__", thing)
    return [function] if isinstance(function, types.FunctionType) else []


def _tell() -> None:
    _why.clear()
    for listener in _changed:
        listener()


def when_changed(listener: Callable[[], object]) -> None:
    """Have `listener` called whenever the rules change, to drop what it knows."""
    _changed.append(listener)


def _rule(module: str) -> tuple[str, bool] | None:
    """The longest rule for a module or a package around it."""
    if module in _always:
        return module, True
    name = module
    while name and _modules:
        if name in _modules:
            return name, _modules[name]
        name = name.rpartition(".")[0]
    return None


_why: dict[str | None, str | None] = {}  # as the rules are now


def why_left_alone(module: str | None) -> str | None:
    """Why functions of the module with this dotted name are called as they are, or None."""
    try:
        return _why[module]
    except KeyError:
        return _why.setdefault(module, _why_left_alone(module))


def _why_left_alone(module: str | None) -> str | None:
    if not module:
        return None
    rule = _rule(module)
    if rule is not None:
        return None if rule[1] else f"a rule leaves {rule[0]} alone"
    root = module.partition(".")[0]
    if root in sys.stdlib_module_names and root != "__main__":
        return f"{root} belongs to the standard library"
    return f"{root} is left alone" if root in _LIBRARIES else None


def is_left_alone(module: str | None) -> bool:
    """Whether functions of the module with this dotted name are called as they are."""
    return why_left_alone(module) is not None


def why_function_stays(function: types.FunctionType) -> str | None:
    """Why a function that converted code calls is called as it is, or None."""
    decided = _functions.get(function)
    if decided is not None:
        return None if decided else "a rule leaves it alone"
    if _rule(function.__module__ or "") is None and is_installed(function.__code__.co_filename):
        return f"{function.__code__.co_filename} is installed, not the user's"
    return why_left_alone(function.__module__)


def is_installed(filename: str) -> bool:
    """Whether the file belongs to the standard library or to an installed package."""
    return filename.startswith(_installed())


def prepare() -> None:
    """Find out where libraries are installed, which imports a module."""
    _installed()


@functools.cache
def _installed() -> tuple[str, ...]:
    import sysconfig  # takes long to import

    paths = sysconfig.get_paths()
    return ("<frozen ", *{paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib") if paths.get(key)})
